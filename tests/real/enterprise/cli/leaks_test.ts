/**
 * Whatever the command line is asked for, and whatever goes wrong, no secret that is in play is in what it prints, in
 * a command line of the process list, or among the variables of what it starts. The process list is looked at while
 * the commands run. What the library throws and shows is looked at in `tokens/apart_test.ts`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type EnterpriseBed, startEnterpriseBed } from "../../../fixtures/enterprise/mod.ts";
import { EnterprisePlace, type EnterpriseRun } from "../../../fixtures/enterprise_cli/place.ts";
import { ProcessWatch } from "../../../fixtures/enterprise_cli/process_watch.ts";
import { foreignTokens } from "../../../fixtures/enterprise_cli/tokens.ts";

const LIMIT = { timeout: 300_000 };
const PAGE = /^(http:\S+\/auth\S*)$/m;

test(
  "the watch finds what stands in a command line or a variable, of a child's child too",
  LIMIT,
  async () => {
    using watch = new ProcessWatch();
    const [word, value] = [`word-${crypto.randomUUID()}`, `value-${crypto.randomUUID()}`];
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", `LATE="$EARLY" /bin/sh -c 'read line' sh "$0"`, word],
      env: { EARLY: value },
      stdin: "piped",
    }).spawn();
    await Promise.all([watch.until(`LATE=${value}`), watch.until(word)]);
    await child.stdin.close();
    await child.status;
    const places = new Set(watch.find(word).map(({ at }) => at));
    assertEquals([places, watch.find(crypto.randomUUID())], [new Set(["command line"]), []]);
    assert(
      new Set(watch.find(value).map(({ process }) => process)).size >= 2,
      "the child's child was not seen",
    );
  },
);

/** What one command printed, and what it may print. */
interface Printed {
  readonly words: readonly string[];
  readonly text: string;
  readonly process: number;
}

/** Runs commands at a place, and keeps everything they print. */
class Repertoire {
  readonly printed: Printed[] = [];
  /** What belongs to a sign-in that is under way, besides the secrets of the bed. */
  readonly ofSignIns: string[] = [];
  readonly #place: EnterprisePlace;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(place: EnterprisePlace, environment: Readonly<Record<string, string>>) {
    this.#place = place;
    this.#environment = environment;
  }

  /** Runs one to its end. `allowed` is what it is there to print. */
  async run(words: readonly string[], expected: number, input: string = ""): Promise<string> {
    const run = this.#place.start(words, { input, environment: this.#environment });
    return await this.#end(run, { words, expected });
  }

  /** Signs in on a page; `answer` types what follows. */
  async signIn(
    words: readonly string[],
    { expected, answer }: { readonly expected: number; readonly answer: SignInAnswer },
  ): Promise<void> {
    const run = this.#place.start(words, { keep: true, environment: this.#environment });
    await answer(run);
    await this.#end(run, { words, expected });
  }

  /** Waits for the page that is shown, and remembers what only the browser may know of it. */
  async page(run: EnterpriseRun): Promise<string> {
    const [, page = ""] = await run.told(PAGE);
    const query = new URL(page).searchParams;
    for (const name of ["state", "nonce"]) this.ofSignIns.push(query.get(name) ?? "-");
    return page;
  }

  async #end(
    run: EnterpriseRun,
    { words, expected }: { readonly words: readonly string[]; readonly expected: number },
  ): Promise<string> {
    const { code, stdout, stderr } = await run.outcome;
    assertEquals(code, expected, `${words.join(" ")}: ${stderr}`);
    const bearer = words[0] === "token" && code === 0 ? tokenIn(stdout) : null;
    assert(bearer === null || bearer.startsWith("at-"), stdout);
    const out = bearer === null ? stdout : stdout.replace(bearer, "");
    this.printed.push({ words, text: `${out}${stderr}`, process: run.process.pid });
    return stdout;
  }
}

type SignInAnswer = (run: EnterpriseRun) => Promise<void>;

function tokenIn(stdout: string): string {
  return stdout.startsWith("{") ? String(JSON.parse(stdout).access_token) : stdout.trim();
}

/** A secret as it is, and as it stands in a form or a URL. */
function spellings(secret: string): readonly string[] {
  return [
    ...new Set([secret, encodeURIComponent(secret), new URLSearchParams({ s: secret }).toString().slice(2)]),
  ];
}

/** A place whose configuration names the variables that hold both secrets, and whose browser waits to be seen. */
async function preparePlace(bed: EnterpriseBed): Promise<[EnterprisePlace, Record<string, string>]> {
  const [idp, as] = [bed.idp.client.secret ?? "", bed.as.client.secret ?? ""];
  const text = bed.configuration()
    .replaceAll(JSON.stringify(idp), '{ env = "IDP_SECRET" }')
    .replaceAll(JSON.stringify(as), '{ env = "AS_SECRET" }');
  assert(idp !== "" && as !== "" && !text.includes(idp) && !text.includes(as));
  const place = await EnterprisePlace.create(text);
  const bin = place.environment["PATH"] ?? "";
  await mkdir(bin);
  const opener = join(bin, "xdg-open");
  await writeFile(opener, `#!/bin/sh\nwhile [ ! -e "${bin}/seen" ]; do /bin/sleep 0.05; done\n`);
  await chmod(opener, 0o755);
  return [place, { IDP_SECRET: idp, AS_SECRET: as }];
}

/** Every way to sign in, what uses a sign-in, and signing out. */
async function ordinaryUse(
  commands: Repertoire,
  { bed, place, watch }: {
    readonly bed: EnterpriseBed;
    readonly place: EnterprisePlace;
    readonly watch: ProcessWatch;
  },
): Promise<void> {
  const bin = place.environment["PATH"] ?? "";
  const inBrowser = async (run: EnterpriseRun): Promise<void> => {
    const page = await commands.page(run);
    await watch.until(`${bin}/xdg-open`);
    await writeFile(join(bin, "seen"), "");
    await (await fetch(await bed.browse(page))).text();
    await run.told(/Store this sign-in\?/);
    await run.type("y");
  };
  await commands.signIn(["login"], { expected: 0, answer: inBrowser });
  for (
    const words of [
      ["status"],
      ["status", "--json"],
      ["token", "notes"],
      ["token", "second", "--json"],
      ["servers", "--json"],
      ["tools", "notes", "--json"],
      ["call", "notes", "whoami", "--json"],
      ["doctor", "notes", "--connect", "--json"],
    ]
  ) {
    await commands.run(words, 0);
  }
  await commands.run(["logout"], 0);
  const pasted = async (run: EnterpriseRun): Promise<void> =>
    await run.type((await bed.browse(await commands.page(run))).href);
  await commands.signIn(["login", "--no-browser", "--yes", "--json"], { expected: 0, answer: pasted });
  const onDevice = async (run: EnterpriseRun): Promise<void> => {
    const [, code = ""] = await run.told(/enter the code (\S+):\n/);
    await bed.approveDevice(code);
  };
  await commands.signIn(["login", "--device", "--yes"], { expected: 0, answer: onDevice });
  await commands.run(["logout", "--json"], 0);
  const { idToken, refreshToken } = await foreignTokens(bed);
  await commands.run(["login", "--id-token-stdin", "--yes"], 0, `${idToken}\n`);
  await commands.run(["token", "notes"], 0);
  await commands.run(["login", "--id-token-stdin", "--yes"], 3, `${idToken}x\n`);
  await commands.run(["login", "--refresh-token-stdin", "--yes"], 0, `${refreshToken}\n`);
  await commands.run(["login", "--refresh-token-stdin", "--yes"], 4, `${refreshToken}\n`);
}

/** Faults of a use, by switch, with the exit code. */
const FAULTS: readonly (readonly [name: string, exit: number])[] = [
  ["exchange-access_denied", 3],
  ["exchange-invalid_client", 3],
  ["exchange-unheard_of", 3],
  ["exchange-answer-issued-access-token", 3],
  ["id-jag-aud-other", 3],
  ["idp.exchange-html", 3],
  ["idp.exchange-redirect-307-elsewhere", 3],
  ["idp.exchange-503", 5],
  ["redemption-invalid_grant", 3],
  ["redemption-answer-token-type-dpop", 3],
  ["as.token-not-json", 3],
  ["as.token-reset", 5],
  ["as-metadata-token-endpoint-elsewhere", 3],
  ["prm-resource-elsewhere", 3],
];

/** Faults of a sign-in in a browser. */
const SIGN_IN_FAULTS: readonly (readonly [name: string, exit: number])[] = [
  ["callback-error-and-code", 3],
  ["callback-iss-other", 3],
  ["id-token-nonce-other", 3],
  ["code-answer-refresh-token-large", 3],
];

async function faultyUse(
  commands: Repertoire,
  { bed, place }: { readonly bed: EnterpriseBed; readonly place: EnterprisePlace },
): Promise<void> {
  const { refreshToken } = await foreignTokens(bed);
  await commands.run(["login", "--refresh-token-stdin", "--yes"], 0, refreshToken);
  for (const [name, exit] of FAULTS) {
    bed.reset();
    bed.turn(name);
    await commands.run(["token", "notes", "--timeout", "10"], exit);
    await commands.run(["call", "notes", "whoami", "--timeout", "10"], exit);
  }
  for (const [name, exit] of SIGN_IN_FAULTS) {
    bed.reset();
    bed.turn(name);
    const answer = async (run: EnterpriseRun): Promise<void> =>
      await run.type((await bed.browse(await commands.page(run))).href);
    await commands.signIn(["login", "--no-browser", "--yes"], { expected: exit, answer });
  }
  bed.reset();
  const { items } = place.keyring;
  for (const mode of ["locked", "absent"] as const) {
    place.keyring = { mode, items };
    for (const words of [["status"], ["token", "notes"], ["logout"]]) await commands.run(words, 5);
  }
  place.keyring = { mode: "open", items: Object.fromEntries(Object.keys(items).map((key) => [key, "{"])) };
  for (const words of [["status"], ["token", "notes"]]) await commands.run(words, 4);
  place.keyring = { mode: "open", items };
  bed.turn("idp.revocation-503");
  await commands.run(["logout"], 0);
}

test("no secret is printed, in the process list or among the variables of a child", LIMIT, async () => {
  await using bed = await startEnterpriseBed({ profile: "xaa.dev" });
  const [place, environment] = await preparePlace(bed);
  await using _place = place;
  using watch = new ProcessWatch();
  const commands = new Repertoire(place, environment);
  await ordinaryUse(commands, { bed, place, watch });
  await faultyUse(commands, { bed, place });

  const own = new Set(commands.printed.map(({ process }) => process));
  const named = new Set(Object.values(environment));
  const secrets = bed.secretsInPlay();
  const found: string[] = [];
  for (const secret of secrets) {
    for (const text of spellings(secret)) {
      for (const { words, text: printed } of commands.printed) {
        if (printed.includes(text)) found.push(`${words.join(" ")} printed ${text}`);
      }
    }
  }
  for (const secret of [...secrets, ...commands.ofSignIns]) {
    for (const sighting of spellings(secret).flatMap((text) => watch.find(text))) {
      // the command itself was given these two, by the variables that the configuration names
      const given = named.has(secret) && own.has(sighting.process) && sighting.at === "variables";
      if (!given) found.push(`${secret} in the ${sighting.at} of process ${sighting.process}`);
    }
  }
  assertEquals(found, []);
  assert(secrets.length > 60, `only ${secrets.length} secrets were in play`);
  assert(commands.printed.length > 30 && watch.looks > 100);
  // what must have been seen for all this to mean something
  for (const secret of named) assert(watch.find(secret).some(({ process }) => own.has(process)));
  for (const process of own) {
    assert(watch.find("enterprise_cli/main.ts").some((one) => one.process === process));
  }
});
