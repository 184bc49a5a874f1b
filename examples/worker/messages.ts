// What comes from the web and what goes back to it: arguments within a limit, and refusals in words for a caller.

const MAX_BODY = 1 << 20; // bytes

/** By code: the status and what a caller can do. The messages of the runtime are for people at a terminal. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  NOT_FOUND: [404, "Send POST /tools/NAME."],
  BODY_TOO_LARGE: [413, "Send at most 1 MiB of arguments."],
  ARGUMENTS_MALFORMED: [400, "Send the arguments as a JSON object."],
  TOOL_REFUSED: [400, "The server has no such tool, or the tool does not take these arguments."],
  SIGN_IN_REQUIRED: [401, "Sign in again."],
  STRONGER_SIGN_IN_REQUIRED: [
    401,
    "Sign in again, in the stronger way that your identity provider asks for.",
  ],
  ADMINISTRATOR_REFUSED: [403, "Your administrator does not allow this. Ask them for access."],
  TEMPORARILY_UNAVAILABLE: [503, "Try again later."],
};

/** Any other code is for whoever runs the Worker: they find the reason in its log. */
export function refused(code: string): Response {
  const [status, message] = REFUSALS[code] ??
    [502, "The server cannot be used now. Tell whoever runs this service."];
  return Response.json({ error: { code, message } }, { status });
}

/** The arguments of a call, or the code of why there are none. It reads no more than the limit. */
export async function readArguments(
  { body }: Request,
): Promise<Record<string, unknown> | "BODY_TOO_LARGE" | "ARGUMENTS_MALFORMED"> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) return "BODY_TOO_LARGE"; // and the rest is not read
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    const args: unknown = JSON.parse(text + decoder.decode());
    if (typeof args === "object" && args !== null && !Array.isArray(args)) return { ...args };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return "ARGUMENTS_MALFORMED";
}
