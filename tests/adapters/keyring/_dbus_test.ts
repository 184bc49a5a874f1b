import { assertEquals } from "@std/assert";
import { test } from "node:test";
import { readMessage, writeCall } from "../../../adapters/keyring/_dbus.ts";
import { message } from "./fake_bus.ts";

const HELLO = {
  serial: 1,
  destination: "org.freedesktop.DBus",
  path: "/org/freedesktop/DBus",
  interface: "org.freedesktop.DBus",
  member: "Hello",
  strings: [],
};

test("a call is written byte for byte as the specification has it", () => {
  const bytes = writeCall({
    ...HELLO,
    path: "/",
    interface: "a.b",
    member: "C",
    destination: "d.e",
    strings: ["x"],
  });
  assertEquals(
    [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
    "6c 01 00 01 06 00 00 00 01 00 00 00 47 00 00 00 " +
      "01 01 6f 00 01 00 00 00 2f 00 00 00 00 00 00 00 " +
      "02 01 73 00 03 00 00 00 61 2e 62 00 00 00 00 00 " +
      "03 01 73 00 01 00 00 00 43 00 00 00 00 00 00 00 " +
      "06 01 73 00 03 00 00 00 64 2e 65 00 00 00 00 00 " +
      "08 01 67 00 01 73 00 00 " + "01 00 00 00 78 00",
  );
  assertEquals(writeCall(HELLO).length % 8, 0);
});

test("what is written can be read", () => {
  const read = readMessage(writeCall({ ...HELLO, strings: ["default"] }));
  assertEquals(read, { kind: "other", replyTo: 0, errorName: "", first: "default", size: 148 });
});

test("an answer and an error are read, in either byte order", () => {
  const answer = message({ type: 2, replyTo: 2, text: "/a/b", path: true });
  assertEquals(readMessage(answer), {
    kind: "return",
    replyTo: 2,
    errorName: "",
    first: "/a/b",
    size: answer.length,
  });
  const error = message({ type: 3, replyTo: 7, text: "why", error: "a.b.Error" });
  const read = readMessage(error);
  assertEquals([read?.kind, read?.replyTo, read?.errorName, read?.first], ["error", 7, "a.b.Error", "why"]);
});

test("a message that is not whole is not read, and what follows one is left", () => {
  const bytes = message({ type: 2, replyTo: 2, text: "/", path: true });
  for (let length = 0; length < bytes.length; length++) {
    assertEquals(readMessage(bytes.subarray(0, length)), null);
  }
  assertEquals(readMessage(Uint8Array.of(...bytes, ...bytes))?.size, bytes.length);
});

test("bytes that are no message end the reading", () => {
  for (const fill of [0x00, 0x42, 0x6c, 0xff]) {
    const read = readMessage(new Uint8Array(64).fill(fill));
    assertEquals(read === null || read.size >= 16, true);
  }
});
