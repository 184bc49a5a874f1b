/**
 * As much of the D-Bus wire format as two method calls and their answers take.
 *
 * What is asked is decided in `secret_service.ts`. D-Bus Specification 0.43, "Message Protocol".
 *
 * @module
 */

/** A method call whose arguments, if any, are strings. */
export interface BusCall {
  /** Number of the call, from 1. */
  readonly serial: number;
  /** Name on the bus. */
  readonly destination: string;
  /** Path of the object. */
  readonly path: string;
  /** Name of the interface. */
  readonly interface: string;
  /** Name of the method. */
  readonly member: string;
  /** The arguments. */
  readonly strings: readonly string[];
}

/** A message that came. */
export interface BusMessage {
  /** Whether it answers a call well, with an error, or is something else. */
  readonly kind: "return" | "error" | "other";
  /** Number of the call that it answers; 0: none. */
  readonly replyTo: number;
  /** Name of the error, else empty. */
  readonly errorName: string;
  /** The first string or object path of an answer, else empty. */
  readonly first: string;
  /** How many bytes it took. */
  readonly size: number;
}

/** Bytes of one call, the lowest first. */
export function writeCall(call: BusCall): Uint8Array {
  const body = new Writer();
  for (const text of call.strings) body.text(text);
  const head = new Writer();
  head.bytes(0x6c, 1, 0, 1);
  head.number(body.length);
  head.number(call.serial);
  const fields = new Writer();
  const field = (code: number, [type, text]: readonly [string, string]): void => {
    fields.pad(8);
    fields.bytes(code);
    fields.signature(type);
    if (type === "g") fields.signature(text);
    else fields.text(text);
  };
  field(1, ["o", call.path]);
  field(2, ["s", call.interface]);
  field(3, ["s", call.member]);
  field(6, ["s", call.destination]);
  if (call.strings.length > 0) field(8, ["g", "s".repeat(call.strings.length)]);
  head.number(fields.length);
  head.bytes(...fields.done());
  head.pad(8);
  head.bytes(...body.done());
  return head.done();
}

/** The first message in `bytes`, or `null` while it is not whole. */
export function readMessage(bytes: Uint8Array): BusMessage | null {
  if (bytes.length < 16) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x6c;
  const number = (at: number): number => view.getUint32(at, little);
  const text = (at: number): string => new TextDecoder().decode(bytes.subarray(at + 4, at + 4 + number(at)));
  const fieldsEnd = 16 + number(12);
  const bodyStart = align(fieldsEnd, 8);
  const size = bodyStart + number(4);
  if (bytes.length < size) return null;
  let replyTo = 0;
  let errorName = "";
  let signature = "";
  for (let at = 16; at < fieldsEnd;) {
    at = align(at, 8);
    const code = bytes[at] ?? 0;
    const typeLength = bytes[at + 1] ?? 0;
    const type = String.fromCharCode(bytes[at + 2] ?? 0);
    at += typeLength + 3;
    if (typeLength !== 1) break; // no field that a bus sends has a longer type
    if (type === "g") {
      const length = bytes[at] ?? 0;
      if (code === 8) signature = new TextDecoder().decode(bytes.subarray(at + 1, at + 1 + length));
      at += length + 2;
      continue;
    }
    at = align(at, 4);
    if (code === 5) replyTo = number(at);
    if (code === 4) errorName = text(at);
    at += type === "u" ? 4 : number(at) + 5;
  }
  const kind = bytes[1] === 2 ? "return" : bytes[1] === 3 ? "error" : "other";
  const first = /^[so]/.test(signature) && size - bodyStart >= 5 ? text(bodyStart) : "";
  return { kind, replyTo, errorName, first, size };
}

function align(at: number, to: number): number {
  return Math.ceil(at / to) * to;
}

class Writer {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  bytes(...values: readonly number[]): void {
    this.#bytes.push(...values);
  }

  pad(to: number): void {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0);
  }

  number(value: number): void {
    this.pad(4);
    for (const shift of [0, 8, 16, 24]) this.#bytes.push(value >>> shift & 0xff);
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.number(encoded.length);
    this.bytes(...encoded, 0);
  }

  signature(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.bytes(encoded.length, ...encoded, 0);
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
