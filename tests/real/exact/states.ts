/**
 * States that no detour through JavaScript's values leaves as they are. All of them are one line of well-formed JSON.
 *
 * @module
 */

/** Texts by what they hold. */
export const STATES: Readonly<Record<string, string>> = {
  "64-bit integers": '{"u":18446744073709551615,"i":-9223372036854775808,"n":9007199254740993}',
  "numbers beyond a double": '{"big":1e400,"small":-1E-400,"long":0.1000000000000000055511151231257827}',
  "a negative zero": '{"z":-0,"f":-0.0}',
  "numbers in many spellings": '{"a":1.0,"b":10e-1,"c":1E+2,"d":100}',
  "integer-like keys": '{"b":1,"10":2,"2":3,"1":{"0":0,"a":1,"00":2}}',
  "names of the prototype": '{"__proto__":{"type":"disabled"},"constructor":1,"a":{"__proto__":null}}',
  "escapes":
    '{"\\u0041":"\\/\\u0041\\u00e9\\n\\t\\b\\f\\r\\"\\\\","\\"":1,"\\\\":2,"a\\/b":3,"\\u0000":"\\u0000"}',
  "characters beyond ASCII": '{"é":"ü","😀":"\\ud83d\\ude00 😀","\u2028":"\u2029\ufeff\u00a0"}',
  "escaped lone surrogates": '{"\\ud800":"\\uDC00","s":"\\ud83d","t":"\\udc00\\ud800"}',
  "duplicate keys": '{"a":1,"a":2,"\\u0061":3,"b":{"c":[],"c":{}}}',
  "white space": '{ "a" :\t[ 1 ,\r 2 ] , "b" : { } }',
  "no object": "9007199254740993",
  "a string": '"\\u0041"',
  "null": "null",
};

/** One state with what all of those hold. */
export const EVERYTHING: string = `{"permissionProfile":{"type":"managed"},${
  Object.entries(STATES).map(([name, text]) => `"${name}":${text}`).join(" , ")
}}`;
