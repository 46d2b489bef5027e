import { testRounds } from './test-rounds.ts';

testRounds({ from: 0, rounds: 550, offRamps: 2500 });
