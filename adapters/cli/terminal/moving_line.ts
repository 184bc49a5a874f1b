/**
 * A line on standard error that moves while something is awaited, on a terminal alone. What it says is decided by
 * whoever waits.
 *
 * @module
 */

/** Where the line is drawn. */
export interface LineScreen {
  /** Whether somebody looks; absent: nobody. */
  readonly isTTY?: boolean;
  /** Draws. */
  write(text: string): unknown;
}

const FRAMES = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];

const FRAME_MS = 75;

const CLEAR = "\r\u001b[K";

/** Runs `work` under a line that begins as `message`; `show` changes it and is `undefined` where nobody looks. */
export async function withMovingLine<Value>(
  message: string,
  work: (show: ((message: string) => void) | undefined) => Promise<Value>,
  screen: LineScreen = globalThis.process.stderr,
): Promise<Value> {
  if (screen.isTTY !== true) return await work(undefined);
  let shown = message;
  let frame = 0;
  const draw = (): void => {
    screen.write(`${CLEAR}${FRAMES[frame++ % FRAMES.length]} ${shown}`);
  };
  const timer = setInterval(draw, FRAME_MS);
  try {
    return await work((changed) => {
      shown = changed;
    });
  } finally {
    clearInterval(timer);
    if (frame > 0) screen.write(CLEAR);
  }
}
