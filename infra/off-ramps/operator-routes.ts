import { OPERATION_ID } from '#infra/api/example-ids.ts';
import type { OperatorRoute } from '#infra/operators/operator-route.ts';
import { pollDeposit } from '#shared/off-ramps/deposit-commands.ts';
import { resolveContradiction } from '#shared/off-ramps/operation-commands.ts';

/** What operators change of off-ramps and their deposits. */
export const offRampOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: pollDeposit,
    tables: { deposits: ['UpdateItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: resolveContradiction,
    tables: { operations: ['GetItem', 'UpdateItem'], deposits: ['UpdateItem'] },
    example: { operationId: OPERATION_ID, outcome: 'paid' },
    question:
      'Who pays out has to have said so, or the bank: what was paid is never given back, what was not paid may be. Is it certain?',
  },
];
