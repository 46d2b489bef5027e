import Big from 'big.js';
import type { OffRamp } from './off-ramp.ts';
import type { Payout } from './payout.ts';

/** Pesos for each unit of any token: a rate of nobody. */
const RATE = 4000;

/** What the sandbox pays for an off-ramp: once, however often it says so. */
export function simulatedPayout({ operationId, amount }: Pick<OffRamp, 'operationId' | 'amount'>): Payout {
  const reference = `SANDBOX-${operationId}`;
  return { amount: new Big(amount).times(RATE).round(2).toFixed(), currency: 'COP', reference };
}
