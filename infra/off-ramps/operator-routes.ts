import type { OperatorRoute } from '#infra/operators/operator-route.ts';
import { pollDeposit } from '#shared/off-ramps/deposit-commands.ts';

/** What operators change of deposits. */
export const offRampOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: pollDeposit,
    tables: { deposits: ['UpdateItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
  },
];
