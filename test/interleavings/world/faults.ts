import type { Faults } from '#test/simulation/aws/dynamodb/faults.ts';
import type { Chances } from '#test/simulation/kernel/schedule.ts';

/** Often enough to meet one another in a round, seldom enough to let most of it go well. Probabilities. */
export const CHANCES: Chances = { death: 0.03, delay: 0.25, stall: 0.005 };

export const DYNAMO_FAULTS: Faults = {
  conflict: 0.02,
  throttling: 0.003,
  hotKey: 0,
  unprocessed: 0,
  torn: 0,
  repeat: 0.005,
  loss: 0.003,
};

export const EXECUTION_FAULTS = { start: 0.03, abort: 0.01 };

/** That the custodian does not answer one question. */
export const CUSTODIAN_FAULT = 0.02;

/** That a message is handed out twice. */
export const DUPLICATE = 0.1;

/** Milliseconds that an index lags behind at most; mostly it does not. */
export const LONGEST_LAG = 10_000;
export const LAGS = 0.2;
