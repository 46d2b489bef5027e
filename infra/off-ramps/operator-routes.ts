import { OPERATION_ID, PROPOSAL_ID } from '#infra/platform/example-ids.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { AUDITED_CHANGES, CLIENT_NAMES, proposalToConfirm, timeZoneOf } from '#infra/platform/operator-route.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import {
  confirmDepositContract,
  creditDepositContract,
  giveUpUnreadableContract,
  pollDepositContract,
  resolveContradictionContract,
  searchHashContract,
  settleDepositContract,
  unsettleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import {
  creditedLine,
  listContradictionsContract,
  listOwedContract,
  listUnmatchedContract,
  listUnpaidContract,
  listWaitingContract,
  readDepositContract,
  reportOfframpsContract,
} from '#shared/off-ramps/contract/operator-lookups.ts';

/** What the transaction that credits a deposit reads and writes, and the search for who awaits it. */
const CREDITS = {
  deposits: ['GetItem', 'PutItem', 'UpdateItem'],
  operations: ['GetItem', 'UpdateItem', 'ConditionCheckItem', 'Query:awaiting', 'BatchGetItem'],
  hashes: ['GetItem', 'PutItem', 'DeleteItem'],
  events: ['PutItem'],
  clients: ['Query:byName'],
} as const satisfies TableUse;

/** What operators look up and change of off-ramps and their deposits. */
export const offRampOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: readDepositContract,
    tables: {
      deposits: ['GetItem', 'Query:byHash', 'BatchGetItem'],
      operations: ['GetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { deposit: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: listWaitingContract,
    tables: {
      operations: ['Query', 'Query:awaiting'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: ['GetItem', 'Query:byName', ...CLIENT_NAMES],
    },
    example: {},
  },
  {
    contract: listUnmatchedContract,
    tables: { deposits: ['Query:unmatched', 'BatchGetItem'], operations: ['GetItem'], clients: CLIENT_NAMES },
    example: {},
  },
  {
    contract: listOwedContract,
    tables: { deposits: ['Query:owed', 'BatchGetItem'], operations: ['GetItem'], clients: CLIENT_NAMES },
    example: {},
  },
  {
    contract: listContradictionsContract,
    tables: { operations: ['Query:contradicted', 'BatchGetItem'], clients: CLIENT_NAMES },
    example: {},
  },
  {
    contract: listUnpaidContract,
    tables: {
      operations: ['Query', 'Query:pending'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: CLIENT_NAMES,
    },
    environment: ({ payoutHours }) => ({ PAYOUT_HOURS: String(payoutHours) }),
    example: {},
  },
  {
    contract: reportOfframpsContract,
    environment: timeZoneOf,
    tables: {
      operations: ['Query:credited', 'BatchGetItem'],
      hashes: ['BatchGetItem'],
      deposits: ['BatchGetItem'],
      clients: ['Query:byName'],
    },
    example: { from: '2026-11-01', to: '2026-11-30' },
    report: {
      columns: [...Object.keys(creditedLine.shape), 'day'],
      at: 'creditedAt',
      by: ['clientId', 'token', 'status', 'depositStatus'],
    },
  },
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
    tables: { operations: ['GetItem', 'UpdateItem'], hashes: ['GetItem'], deposits: ['UpdateItem'] },
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
  {
    contract: creditDepositContract,
    tables: { ...CREDITS, proposals: ['PutItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…', operation: OPERATION_ID },
    question: 'A credited deposit is paid out, and no command takes that back. Is it certain whose money it is?',
  },
  {
    contract: confirmDepositContract,
    tables: { ...CREDITS, proposals: ['GetItem', 'UpdateItem'] },
    example: { proposalId: PROPOSAL_ID },
    shows: proposalToConfirm,
    question:
      'You are the second person, and it is done at once: a credited deposit is paid out. Have you checked yourself whose money it is?',
  },
];
