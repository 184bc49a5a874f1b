/**
 * The loopback address that the browser comes back to: 127.0.0.1, a free port or the configured one, one path. The
 * page it answers with tells the person to go back to the terminal and holds nothing of the callback.
 *
 * Any page in a browser on this machine can send requests there. Only a navigation that carries the `state` of the
 * sign-in in progress, which no other page knows, is its callback; everything else is answered with 404, and the
 * waiting goes on.
 *
 * It can also send the browser on its way: what is written on the command line of a browser everybody on the machine
 * can read, so that is an address of one use, and the page to sign in at is where that leads.
 *
 * What the callback says is judged in `adapters/http/sign_in/authorization_code.ts`.
 * RFC 6749, 10.12; RFC 8252, 7.3 and 8.3 (October 2017); Fetch Metadata Request Headers, 2.2.
 *
 * @module
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { EnterpriseError } from "../../../core/enterprise/error.ts";

/** A listener. To be closed with `close`, or with `await using` where the runtime has it. */
export interface CallbackListener extends AsyncDisposable {
  /** Where the browser is to come back to. */
  readonly redirectUri: string;
  /** The first callback with this `state`. Before it is called nothing is a callback. To be called once. */
  callback(state: string): Promise<URL>;
  /** An address of one use that leads to `url`. */
  entrance(url: string): string;
  /** Stops listening. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const PATH = "/callback";

/**
 * Listens on `port`; `null`: on a free one.
 *
 * @throws {EnterpriseError} `TEMPORARILY_UNAVAILABLE` when the port is taken.
 */
export async function listenForCallback(port: number | null): Promise<CallbackListener> {
  let resolve: (callback: URL) => void = () => {};
  const promise = new Promise<URL>((resolveCallback) => resolve = resolveCallback);
  let expected: string | null = null;
  const entrances = new Map<string, string>();
  const server = createServer((request, response) => {
    const entrance = isOurs(request, server) ? request.url ?? "" : "";
    const target = entrances.get(entrance);
    if (target !== undefined) {
      entrances.delete(entrance);
      response.writeHead(302, { location: target, ...HEADERS });
      response.end();
      return;
    }
    const callback = callbackOf(request, server);
    if (callback === null || !carries(callback, expected)) {
      return answer(response, [404, "There is nothing here."]);
    }
    answer(response, [
      200,
      "Go back to the terminal. It says whether the sign-in went well. You can close this page.",
    ]);
    resolve(callback);
  });
  await listen(server, port ?? 0);
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeAllConnections(); // a browser opens some in advance and never uses them
    await closed;
  };
  return {
    redirectUri: `http://${HOST}:${portOf(server)}${PATH}`,
    callback: (state) => {
      expected = state;
      return promise;
    },
    entrance: (url) => {
      const path = `/${crypto.randomUUID()}`;
      entrances.set(path, url);
      return `http://${HOST}:${portOf(server)}${path}`;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const code = String(Reflect.get(error, "code"));
      const state = code === "EADDRINUSE"
        ? "the port is taken. End what listens there"
        : `the system says ${code}`;
      reject(
        new EnterpriseError(
          "TEMPORARILY_UNAVAILABLE",
          `Cannot wait for the browser on ${HOST}:${port}: ${state}, or sign in with --device.`,
          { reason: code },
        ),
      );
    });
    server.listen(port, HOST, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * Whether `request` goes to a page at this address, and not to a name that a foreign page lets lead here. A browser
 * says when a page asks for something in the background; whoever says nothing is no browser, or an old one.
 */
function isOurs({ method, headers }: IncomingMessage, server: Server): boolean {
  const mode = headers["sec-fetch-mode"] ?? "navigate";
  return method === "GET" && mode === "navigate" && headers.host === `${HOST}:${portOf(server)}`;
}

/** Whether `callback` answers the sign-in with this `state`, and says so once. */
function carries(callback: URL, state: string | null): boolean {
  const [given, other] = callback.searchParams.getAll("state");
  return state !== null && given === state && other === undefined;
}

/** The callback that `request` is; `null` for everything else. */
function callbackOf(request: IncomingMessage, server: Server): URL | null {
  const { url = "" } = request;
  const origin = `http://${HOST}:${portOf(server)}`;
  if (!isOurs(request, server) || !url.startsWith(`${PATH}?`) || !URL.canParse(url, origin)) return null;
  return new URL(url, origin);
}

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "connection": "close",
};

function answer(response: ServerResponse, [status, sentence]: readonly [number, string]): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...HEADERS });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>codex-mcp</title>` +
      `<body style="font:1.2em system-ui;margin:4em auto;max-width:30em"><p>${sentence}</p></body></html>`,
  );
}
