import { testRounds } from './test-rounds.ts';

testRounds({ from: 0, rounds: 500, offRamps: 2500 });
