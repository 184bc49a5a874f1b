/**
 * Which proxy variables lead plain http astray. What is expected for Deno is what Deno does: each case is tried with a
 * real `fetch` in a process of its own too.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { loopbackProxy } from "../../../../adapters/http/transport/loopback_proxy.ts";

type Case = readonly [hostname: string, variables: Readonly<Record<string, string>>, direct: boolean];

const P = "http://proxy.example:3128";
const without = (list: string, hostname = "127.0.0.1"): Case => [
  hostname,
  { HTTP_PROXY: P, NO_PROXY: list },
  false,
];
const covered = (list: string, hostname = "127.0.0.1"): Case => [
  hostname,
  { HTTP_PROXY: P, NO_PROXY: list },
  true,
];

const DENO: readonly Case[] = [
  ["127.0.0.1", {}, true],
  ["127.0.0.1", { HTTPS_PROXY: P }, true],
  ["127.0.0.1", { HTTP_PROXY: "" }, true],
  ...["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map((name): Case => [
    "127.0.0.1",
    { [name]: P },
    false,
  ]),
  covered("127.0.0.1"),
  covered(" other.example , 127.0.0.1"),
  covered("\t127.0.0.1\f"),
  without("\ufeff127.0.0.1"),
  without("\ufefflocalhost", "localhost"),
  covered("127.0.0.0/8"),
  covered("127.0.0.1/32"),
  covered("0.0.0.0/0"),
  // an address is not taken out for what takes every name out
  ...["*", "", ".0.0.1", "localhost", "127.*", "x 127.0.0.1", "127.0.0.1:80", "127.0.0.0/33", "127.0.0.0/8/8"]
    .map((list) => without(list)),
  ...["126.0.0.0/8", "127.0.1.0/24", "/8", "127.1", "127.00.0.1", "256.0.0.0/8"].map((list) => without(list)),
  ["127.0.0.1", { HTTP_PROXY: P, no_proxy: "127.0.0.1" }, true],
  // the empty one counts
  ["127.0.0.1", { HTTP_PROXY: P, NO_PROXY: "", no_proxy: "127.0.0.1" }, false],
  ["127.0.0.1", { HTTP_PROXY: P, NO_PROXY: "127.0.0.1", no_proxy: "" }, true],
  ...["*", "localhost", ".localhost"].map((list) => covered(list, "localhost")),
  ...["LOCALHOST", "host", "calhost", "localhost:80", "localhost.", "127.0.0.1", "*.localhost"]
    .map((list) => without(list, "localhost")),
  covered("::1", "[::1]"),
  ...["*", "[::1]", "127.0.0.0/8"].map((list) => without(list, "[::1]")),
];

const NODE: readonly Case[] = [
  ["127.0.0.1", {}, true],
  ["127.0.0.1", { ALL_PROXY: P, HTTPS_PROXY: P }, true],
  ["127.0.0.1", { HTTP_PROXY: P }, false],
  ["127.0.0.1", { http_proxy: P }, false],
  ...["*", "127.0.0.1", "a,127.0.0.1", "a 127.0.0.1"].map((list) => covered(list)),
  ...["127.0.0.0/8", "127.*", "a,*", "127.0.0.1:80", "localhost"].map((list) => without(list)),
  ["127.0.0.1", { HTTP_PROXY: P, NO_PROXY: "127.0.0.1", no_proxy: "" }, false],
  ["127.0.0.1", { HTTP_PROXY: P, NO_PROXY: "", no_proxy: "127.0.0.1" }, true],
  covered("LOCALHOST", "localhost"),
  covered("[::1]", "[::1]"),
  without("::1", "[::1]"),
];

for (const [rules, cases] of [["deno", DENO], ["node", NODE]] as const) {
  test(`plain http for this machine: what ${rules} takes to a proxy`, () => {
    for (const [hostname, variables, direct] of cases) {
      const found = loopbackProxy(hostname, { rules, environment: (name) => variables[name] });
      assertEquals(found === null, direct, JSON.stringify([hostname, variables]));
    }
  });
}

test("the remedy is one that the runtime takes, and holds no value of a variable", () => {
  const remedies = (["deno", "node"] as const).flatMap((rules) =>
    ["127.0.0.1", "localhost", "[::1]"].flatMap((hostname) =>
      [{ http_proxy: P }, { HTTP_PROXY: P, NO_PROXY: "a" }, { HTTP_PROXY: P, no_proxy: "a" }].map((given) => {
        const variables: Record<string, string> = { ...given };
        const environment = (name: string): string | undefined => variables[name];
        const found = loopbackProxy(hostname, { rules, environment });
        assert(
          found !== null && variables[found.variable] === P && !JSON.stringify(found).includes("proxy."),
        );
        variables[found.exceptions] = `${variables[found.exceptions] ?? ""},${found.entry}`;
        return loopbackProxy(hostname, { rules, environment });
      })
    )
  );
  assertEquals(new Set(remedies), new Set([null]));
});

test(
  "what is taken for direct goes to no proxy, and Deno does as its rules say",
  { timeout: 120_000, skip: typeof Deno === "undefined" ? "it starts Deno" : false },
  async () => {
    const listen = async (answer: string): Promise<Server> => {
      const server = createServer((_, response) => void response.end(answer));
      await new Promise<void>((resolve) =>
        server.listen(0, answer === "direct" ? "::" : "127.0.0.1", resolve)
      );
      return server;
    };
    const [direct, proxy] = [await listen("direct"), await listen("proxy")];
    const port = (server: Server): number => (server.address() as AddressInfo).port;
    const code = `console.log(await (await fetch(Deno.args[0])).text())`;
    try {
      for (const [hostname, variables, expected] of DENO) {
        const given = Object.entries(variables).map(([name, value]) => [
          name,
          value === P ? `http://127.0.0.1:${port(proxy)}` : value,
        ]);
        const { stdout } = await new Deno.Command(Deno.execPath(), {
          args: ["eval", "--no-config", code, `http://${hostname}:${port(direct)}/`],
          clearEnv: true,
          env: {
            PATH: Deno.env.get("PATH") ?? "",
            HOME: Deno.env.get("HOME") ?? "",
            ...Object.fromEntries(given),
          },
        }).output();
        const came = new TextDecoder().decode(stdout).trim();
        assertEquals(came, expected ? "direct" : "proxy", JSON.stringify([hostname, variables]));
      }
    } finally {
      for (const server of [direct, proxy]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    }
  },
);
