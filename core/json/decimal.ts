/**
 * The mathematical value of a JSON number, read from its text: two numbers are the same where these texts are.
 *
 * @module
 */

/**
 * A number's value as `<digits>e<exponent>`, without zeros at either end of the digits; zero, negative zero too, is
 * `0`. For what is no JSON number (`Infinity`), something that no number has. Linear in the length of `token`.
 */
export function decimal(token: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(token) ?? [, "?", "1"];
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === "0") start++;
  let end = digits.length;
  while (end > start && digits[end - 1] === "0") end--;
  if (start === end) return "0";
  return `${sign}${digits.slice(start, end)}e${BigInt(exponent) + BigInt(whole.length - end)}`;
}
