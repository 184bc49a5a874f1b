/**
 * A session bus that says what it is told to, on a socket of its own.
 *
 * @module
 */

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";

/** How it behaves: silent from some point on, refusing, or answering a call with an alias or an error. */
export type BusManner =
  | { readonly silentAt: "connect" | "auth" | "hello" | "call" }
  | { readonly hangsUp: true }
  | { readonly floods: true }
  | { readonly rejects: true }
  | { readonly alias: string; readonly asksForData?: boolean; readonly inBits?: boolean }
  | { readonly error: string; readonly toHello?: boolean };

/** A running bus. */
export interface FakeBus {
  /** Its address, as the environment would name it. */
  readonly address: string;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts one. */
export async function startBus(manner: BusManner): Promise<FakeBus> {
  const folder = await mkdtemp(`${tmpdir()}/bus-`);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    if ("hangsUp" in manner) socket.destroy();
    else serve(socket, manner);
  });
  await new Promise<void>((resolve) => server.listen(`${folder}/bus`, resolve));
  return {
    address: `unix:path=${folder}/bus,guid=0`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function serve(socket: Socket, manner: BusManner): void {
  const silentAt = "silentAt" in manner ? manner.silentAt : null;
  let begun = false;
  let calls = 0;
  const send = (bytes: Uint8Array): void => {
    if ("inBits" in manner) { for (const byte of bytes) socket.write(Uint8Array.of(byte)); }
    else socket.write(bytes);
  };
  socket.on("data", (chunk: Uint8Array) => {
    const text = new TextDecoder("latin1").decode(chunk);
    if (silentAt === "connect") return;
    if (!begun && text.includes("AUTH")) {
      if (silentAt === "auth") return;
      if ("floods" in manner) return void socket.write("x".repeat(200_000));
      if ("rejects" in manner) return void socket.write("REJECTED EXTERNAL\r\n");
      return void socket.write("asksForData" in manner ? "DATA\r\n" : "OK 0123\r\n");
    }
    if (!begun && text.startsWith("DATA")) return void socket.write("OK 0123\r\n");
    begun = true;
    for (const _ of text.matchAll(/Hello|ReadAlias/g)) {
      const serial = ++calls;
      if (serial === 1 && silentAt === "hello" || serial === 2 && silentAt === "call") return;
      if (serial === 1 && !("toHello" in manner)) {
        send(message({ type: 2, replyTo: 1, text: ":1.7" }));
        send(message({ type: 4, replyTo: 0, text: ":1.7" })); // a signal, which is passed over
      } else if ("error" in manner) {
        send(message({ type: 3, replyTo: serial, error: manner.error, text: "no" }));
      } else if ("alias" in manner) send(message({ type: 2, replyTo: 2, text: manner.alias, path: true }));
    }
  });
}

interface Message {
  readonly type: number;
  readonly replyTo: number;
  readonly text: string;
  readonly path?: boolean;
  readonly error?: string;
}

/** One message in big-endian order, which the other side has to notice. */
export function message({ type, replyTo, text, path = false, error }: Message): Uint8Array {
  const bytes: number[] = [];
  const number = (value: number): void => void bytes.push(0, 0, value >> 8, value & 0xff);
  const pad = (to: number): void => {
    while (bytes.length % to !== 0) bytes.push(0);
  };
  const string = (value: string): void => {
    pad(4);
    number(value.length);
    bytes.push(...new TextEncoder().encode(value), 0);
  };
  bytes.push(0x42, type, 0, 1);
  number(text.length + 5);
  number(9);
  const lengthAt = bytes.length;
  number(0);
  if (error !== undefined) {
    bytes.push(4, 1, 0x73, 0);
    string(error);
    pad(8);
  }
  bytes.push(5, 1, 0x75, 0);
  number(replyTo);
  pad(8);
  bytes.push(8, 1, 0x67, 0, 1, path ? 0x6f : 0x73, 0);
  bytes[lengthAt + 3] = bytes.length - lengthAt - 4;
  pad(8);
  string(text);
  return Uint8Array.from(bytes);
}
