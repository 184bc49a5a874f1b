/**
 * Randomness that can be had again: the same seed gives the same decisions, one stream for each who decides. When each
 * decision is made still depends on the machine.
 *
 * @module
 */

/** Decides. */
export interface Dice {
  /** A whole number from 0 up to `below`. */
  below(below: number): number;
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean;
  /** One of `choices`. */
  pick<Choice>(choices: readonly Choice[]): Choice;
  /** One of `choices`, as often as its weight says. */
  weigh<Choice>(choices: readonly (readonly [Choice, number])[]): Choice;
}

/** Creates the stream `stream` of `seed`. */
export function createDice(seed: number, stream: number): Dice {
  let state = (seed ^ Math.imul(stream + 1, 0x9e3779b1)) >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const weigh = <Choice>(choices: readonly (readonly [Choice, number])[]): Choice => {
    let left = below(choices.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [choice, weight] of choices) {
      if (left < weight) return choice;
      left -= weight;
    }
    throw new RangeError("Cannot choose: there is nothing to choose from");
  };
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (choices) => weigh(choices.map((choice) => [choice, 1])),
    weigh,
  };
}
