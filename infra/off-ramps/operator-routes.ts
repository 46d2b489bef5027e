import { OPERATION_ID } from '#infra/platform/example-ids.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import {
  giveUpUnreadableContract,
  pollDepositContract,
  resolveContradictionContract,
  searchHashContract,
  settleDepositContract,
  unsettleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';

/** What operators change of off-ramps and their deposits. */
export const offRampOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: pollDepositContract,
    tables: { deposits: ['UpdateItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: giveUpUnreadableContract,
    tables: { deposits: ['UpdateItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
    question:
      'The service no longer asks for this transfer. Has the custodian said that it has no money, or given another id for it?',
  },
  {
    contract: resolveContradictionContract,
    tables: { operations: ['GetItem', 'UpdateItem'], deposits: ['UpdateItem'] },
    example: { operationId: OPERATION_ID, outcome: 'paid', sequence: '4' },
    question:
      'The payout service or the bank must have said so: a deposit that was paid out is never returned. Is it certain?',
  },
  {
    contract: searchHashContract,
    tables: { deposits: ['GetItem', 'PutItem', 'UpdateItem'] },
    example: { network: 'POLYGON', txHash: '0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
  },
  {
    contract: settleDepositContract,
    tables: {
      deposits: ['GetItem', 'UpdateItem'],
      operations: ['GetItem', 'ConditionCheckItem'],
      hashes: ['UpdateItem'],
    },
    example: {
      custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…',
      outcome: 'returned',
      hash: '0x7b2f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8',
    },
    question: 'This money leaves the lists, and is credited to nobody. Was it really sent back, or is it kept?',
  },
  {
    contract: unsettleDepositContract,
    tables: { deposits: ['GetItem', 'UpdateItem'], operations: ['GetItem', 'ConditionCheckItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
  },
];
