import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { hostKind, isPlainLoopback } from "../../../core/enterprise/host_kind.ts";

test("hostKind: spelled as the URL parser spells it", () => {
  const kinds = {
    "mcp.example": "public",
    "localhost": "loopback",
    "localhost..": "loopback",
    "x.localhost": "loopback",
    "notlocalhost": "public",
    "127.255.255.255": "loopback",
    "126.0.0.1": "public",
    "0.1.2.3": "unspecified",
    "169.254.0.1": "link-local",
    "169.253.0.1": "public",
    "192.168.0.1": "public",
    "[::1]": "loopback",
    "[::]": "unspecified",
    "[::2]": "unspecified",
    "[1::1]": "public",
    "[2001:db8::7f00:1]": "public",
    "[1:2:3:4:5:6:7f00:1]": "public",
    "[::ffff:7f00:1]": "loopback",
    "[::ffff:808:808]": "public",
    "[::ffff:0:0]": "unspecified",
    "[fe80::1]": "link-local",
    "[fec0::1]": "public",
    "[64:ff9b::a9fe:1]": "link-local",
  };
  for (const [host, kind] of Object.entries(kinds)) assertEquals(hostKind(host), kind, host);
});

test("isPlainLoopback: three spellings, no more", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) {
    assertEquals(isPlainLoopback(host), true);
  }
  for (const host of ["localhost.", "x.localhost", "[::ffff:7f00:1]", "127.0.0.1.example", "0.0.0.0"]) {
    assertEquals(isPlainLoopback(host), false);
  }
});
