import { testRounds } from './test-rounds.ts';

/** In a file of their own, which another processor runs. */
testRounds({ from: 10_000, rounds: 10_000 });
