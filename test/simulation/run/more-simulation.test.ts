import { testRounds } from './test-rounds.ts';

/** In a file of their own, which another processor runs. */
testRounds({ from: 500, rounds: 500, offRamps: 2500 });
