/** Random numbers that are reproducible from their seeds. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer, at least 0 and below `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** A UUID. */
  id(): string;
}

/** Mulberry32. Seeds are mixed first, so that neighbouring ones give unrelated sequences. */
export function seeded(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => scramble(mixed ^ scramble(seed + 0x9e3779b9)), 0x243f6a88);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return (scramble(state) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    id: () =>
      `00000000-0000-4000-8000-${below(2 ** 32)
        .toString(16)
        .padStart(12, '0')}`,
  };
}

function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
