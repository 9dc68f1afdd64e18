/** The same numbers for the same seed. */
export interface Random {
  /** From `min` to `max`, both included. */
  integer(min: number, max: number): number;
  shuffled<T>(list: readonly T[]): T[];
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    shuffled: (list) => list.map((item) => ({ item, at: next() })).sort((a, b) => a.at - b.at).map(({ item }) => item),
  };
}
