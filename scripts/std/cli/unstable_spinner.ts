/**
 * A line that moves while something is awaited, with the rules of `@std/cli/unstable-spinner`.
 *
 * @module
 */

const COLORS: Readonly<Record<string, string>> = {
  black: "\u001b[30m",
  red: "\u001b[31m",
  green: "\u001b[32m",
  yellow: "\u001b[33m",
  blue: "\u001b[34m",
  magenta: "\u001b[35m",
  cyan: "\u001b[36m",
  white: "\u001b[37m",
  gray: "\u001b[90m",
};

/** Name of a color. */
export type Color = "black" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white" | "gray";

/** How the spinner looks and where it is written. */
export interface SpinnerOptions {
  /** The frames, ten dots by default. */
  spinner?: string[];
  /** The text beside the frame. */
  message?: string;
  /** Milliseconds between frames, 75 by default. */
  interval?: number;
  /** Color of the frame; absent: the terminal's own. */
  color?: Color;
  /** Where it is written, standard output by default. */
  output?: typeof Deno.stdout | typeof Deno.stderr;
}

/** A spinner; `message` and `color` may change while it runs. */
export class Spinner {
  /** The text beside the frame. */
  message: string;
  readonly #frames: string[];
  readonly #interval: number;
  readonly #output: typeof Deno.stdout | typeof Deno.stderr;
  #color: string | undefined;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** Creates a spinner that does not run yet. */
  constructor(options: SpinnerOptions = {}) {
    this.message = options.message ?? "";
    this.#frames = options.spinner ?? [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
    this.#interval = options.interval ?? 75;
    this.#output = options.output ?? Deno.stdout;
    this.color = options.color;
  }

  /** The escape sequence of the color, `undefined` for the terminal's own. Set it by name. */
  get color(): string | undefined {
    return this.#color;
  }
  set color(value: Color | undefined) {
    this.#color = value === undefined ? undefined : COLORS[value];
  }

  /** Starts it; harmless when it runs or when the output is locked. */
  start(): void {
    if (this.#timer !== null || this.#output.writable.locked) return;
    let frame = 0;
    const draw = () => {
      const shown = this.#frames[frame] ?? "";
      const painted = Deno.noColor ? shown : `${this.#color ?? ""}${shown}\u001b[0m`;
      this.#print(`\r\u001b[K${painted} ${this.message}`);
      frame = (frame + 1) % this.#frames.length;
    };
    this.#timer = setInterval(draw, this.#interval);
    draw();
  }

  /** Stops it and clears its line; harmless when it does not run. */
  stop(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#print("\r\u001b[K");
  }

  #print(text: string): void {
    this.#output.writeSync(new TextEncoder().encode(text));
  }
}
