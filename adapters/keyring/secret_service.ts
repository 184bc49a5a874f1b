/**
 * Whether a Secret Service answers on the session bus. It is asked before the native module is, because that one
 * connects synchronously: a bus that accepts a connection and says nothing would stop the whole program for ever.
 *
 * What the answer means for a read or a write is decided in `os_keyring.ts`. Nothing secret is asked, and a locked
 * collection counts as an answer. D-Bus Specification 0.43, "Authentication Protocol"; Secret Service API 0.2.
 *
 * @module
 */

import { connect, type Socket } from "node:net";
import { type BusCall, type BusMessage, readMessage, writeCall } from "./_dbus.ts";
import type { KeyringReason } from "./keyring.ts";

/** Where the session bus may be. */
export interface BusPlace {
  /** Value of `DBUS_SESSION_BUS_ADDRESS`; `undefined`: not set. */
  readonly address: string | undefined;
  /** Value of `XDG_RUNTIME_DIR`; `undefined`: not set. */
  readonly runtimeFolder: string | undefined;
}

/** What was found. `"unknown"`: the address is of a kind that only the native module can use. */
export type ServiceVerdict =
  | "ready"
  | "unknown"
  | Extract<KeyringReason, "no-service" | "no-collection" | "denied" | "silent">;

const SERVICE = "org.freedesktop.secrets";
const BUS = "org.freedesktop.DBus";
const MAX_BYTES = 65_536;

const HELLO: BusCall = {
  serial: 1,
  destination: BUS,
  path: "/org/freedesktop/DBus",
  interface: BUS,
  member: "Hello",
  strings: [],
};

const READ_ALIAS: BusCall = {
  serial: 2,
  destination: SERVICE,
  path: "/org/freedesktop/secrets",
  interface: "org.freedesktop.Secret.Service",
  member: "ReadAlias",
  strings: ["default"],
};

/**
 * Asks the Secret Service for its default collection; the bus starts the service where it can. Waits until `signal`
 * is aborted, which is `"silent"`. Never rejects.
 */
export async function probeSecretService(place: BusPlace, signal: AbortSignal): Promise<ServiceVerdict> {
  const path = socketPath(place);
  if (path === "unknown") return "unknown";
  if (path === null) return "no-service";
  if (signal.aborted) return "silent";
  const socket = connect({ path });
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const verdict = await converse(socket);
    return signal.aborted ? "silent" : verdict;
  } catch {
    // An abstract name is one that not every runtime can connect to.
    return signal.aborted ? "silent" : path.startsWith("\0") ? "unknown" : "no-service";
  } finally {
    signal.removeEventListener("abort", giveUp);
    socket.destroy();
  }
}

/** Path of the bus's socket, `null` when there is no bus, `"unknown"` when it is not a socket of this machine. */
export function socketPath({ address, runtimeFolder }: BusPlace): string | null {
  if (address === undefined || address === "") {
    return runtimeFolder === undefined || runtimeFolder === "" ? null : `${runtimeFolder}/bus`;
  }
  for (const one of address.split(";")) {
    const [, options = ""] = /^unix:(.*)$/.exec(one) ?? [];
    for (const option of options.split(",")) {
      const [name, value = ""] = option.split("=");
      const plain = value.replace(
        /%([0-9a-f]{2})/gi,
        (_, hex: string) => String.fromCharCode(parseInt(hex, 16)),
      );
      if (name === "path") return plain;
      if (name === "abstract") return `\0${plain}`;
    }
  }
  return "unknown";
}

/** Speaks with the bus. Rejects when the connection breaks. */
async function converse(socket: Socket): Promise<ServiceVerdict> {
  const incoming = new Incoming(socket);
  await incoming.connected();
  socket.write("\0AUTH EXTERNAL\r\n");
  let line = await incoming.line();
  if (line === "DATA") {
    socket.write("DATA\r\n");
    line = await incoming.line();
  }
  if (!line.startsWith("OK")) return "denied";
  socket.write("BEGIN\r\n");
  socket.write(writeCall(HELLO));
  socket.write(writeCall(READ_ALIAS));
  for (;;) {
    const message = await incoming.message();
    if (message.kind === "error" && message.replyTo === HELLO.serial) return "denied";
    if (message.kind !== "other" && message.replyTo === READ_ALIAS.serial) return judge(message);
  }
}

function judge({ kind, errorName, first }: BusMessage): ServiceVerdict {
  if (kind === "return") return first === "/" ? "no-collection" : "ready";
  const name = errorName.replace(/^org\.freedesktop\.DBus\.Error\./, "");
  if (name === "ServiceUnknown" || name === "NameHasNoOwner" || name.startsWith("Spawn.")) {
    return "no-service";
  }
  if (name === "NoReply" || name === "Timeout" || name === "TimedOut") return "silent";
  return name === "AccessDenied" ? "denied" : "ready";
}

/** What comes over a socket, read as lines first and as messages then. */
class Incoming {
  readonly #socket: Socket;
  #bytes: Uint8Array = new Uint8Array();
  #failed: Error | null = null;
  #wake: () => void = () => undefined;
  #connected = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    const fail = (error?: Error): void => {
      this.#failed ??= error ?? new Error("closed");
      this.#wake();
    };
    socket.on("data", (chunk: Uint8Array) => {
      const joined = new Uint8Array(this.#bytes.length + chunk.length);
      joined.set(this.#bytes);
      joined.set(chunk, this.#bytes.length);
      this.#bytes = joined;
      if (joined.length > MAX_BYTES) socket.destroy();
      this.#wake();
    });
    socket.once("connect", () => {
      this.#connected = true;
      this.#wake();
    });
    socket.on("error", fail).once("close", () => fail());
  }

  connected(): Promise<true> {
    return this.#until(() => this.#connected ? true : null);
  }

  line(): Promise<string> {
    return this.#until(() => {
      const end = this.#bytes.indexOf(0x0a);
      if (end < 0) return null;
      const text = new TextDecoder().decode(this.#bytes.subarray(0, end)).trimEnd();
      this.#bytes = this.#bytes.subarray(end + 1);
      return text;
    });
  }

  message(): Promise<BusMessage> {
    return this.#until(() => {
      const message = readMessage(this.#bytes);
      if (message !== null) this.#bytes = this.#bytes.subarray(message.size);
      return message;
    });
  }

  async #until<T>(take: () => T | null): Promise<T> {
    for (;;) {
      const taken = take();
      if (taken !== null) return taken;
      if (this.#failed !== null || this.#socket.destroyed) throw this.#failed ?? new Error("closed");
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}
