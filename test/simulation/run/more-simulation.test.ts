import { testRounds } from './test-rounds.ts';

/** In a file of their own, which another processor runs. */
testRounds({ from: 550, rounds: 550, offRamps: 2500 });
