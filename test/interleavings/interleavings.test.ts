import { testRounds } from './test-rounds.ts';

testRounds({ from: 0, rounds: 10_000 });
