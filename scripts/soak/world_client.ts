/**
 * The soak's end of `tests/fixtures/soak/world.ts`: starts it, and gives it orders.
 *
 * @module
 */

import type { WorldOrder, WorldPlaces } from "../../tests/fixtures/soak/world.ts";
import { denoFolder, pathOf } from "./fleet.ts";

/** The world. */
export interface World {
  /** Where everything is. */
  readonly places: WorldPlaces;
  /** Gives an order. Resolves when it is carried out. */
  order(order: WorldOrder): Promise<void>;
  /** Ends it. */
  end(): Promise<void>;
}

/** Starts it. */
export async function startWorld(options: { readonly ledger: string; readonly run: string }): Promise<World> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", "--no-lock", "--no-check", "--config", pathOf("deno.json"), worldFile()],
    env: { SOAK_LEDGER: options.ledger, SOAK_RUN: options.run, NO_COLOR: "1", ...denoFolder() },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = linesOf(child.stdout);
  const next = async (): Promise<string> => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error("The world of the soak has ended");
    return value;
  };
  const writer = child.stdin.getWriter();
  const places = JSON.parse(await next()) as WorldPlaces;
  let last: Promise<void> = Promise.resolve();
  return {
    places,
    order: (order) => {
      last = last.then(async () => {
        await writer.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`));
        await next();
      });
      return last;
    },
    end: async () => {
      await writer.close();
      await child.status;
      await lines.return(undefined);
    },
  };
}

function worldFile(): string {
  return pathOf("tests/fixtures/soak/world.ts");
}

async function* linesOf(source: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const text of source.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
