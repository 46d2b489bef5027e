import * as z from 'zod/mini';
import { OPERATION_ID, PROPOSAL_ID } from '#infra/platform/example-ids.ts';
import {
  AUDITED_CHANGES,
  CLIENT_NAMES,
  OPEN_PROPOSALS,
  type OperatorRoute,
  proposalToConfirm,
  type ShownLookup,
  timeZoneEnvironment,
} from '#infra/platform/operator-route.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import {
  confirmDepositContract,
  creditDepositContract,
  giveUpUnreadableContract,
  pollDepositContract,
  putBackContract,
  resolveContradictionContract,
  searchHashContract,
  settleDepositContract,
  unsettleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import {
  creditedLine,
  listContradictionsContract,
  listOwedContract,
  listReturnsContract,
  listUnmatchedContract,
  listUnpaidContract,
  listWaitingContract,
  readDepositContract,
  reportOfframpsContract,
} from '#shared/off-ramps/contract/operator-lookups.ts';
import {
  abortReturnContract,
  approveReturnContract,
  declineReturnContract,
  recordReturnContract,
  requestReturnContract,
  startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import { approvalsEnvironment, heldReturnsEnvironment, returnsEnvironment } from './return-environment.ts';

/** Tables of the transaction that credits a deposit, and of the search for the operation that awaits it. */
const CREDITS = {
  deposits: ['GetItem', 'PutItem', 'UpdateItem'],
  operations: ['GetItem', 'UpdateItem', 'ConditionCheckItem', 'Query:awaiting', 'BatchGetItem'],
  hashes: ['GetItem', 'PutItem', 'DeleteItem'],
  events: ['PutItem', 'Query'],
  clients: ['Query:byName'],
} as const satisfies TableUse;

/** Tables of the transactions of returns. */
const RETURNS = {
  deposits: ['GetItem', 'UpdateItem'],
  operations: ['GetItem', 'ConditionCheckItem'],
  events: ['PutItem', 'Query'],
} as const satisfies TableUse;

/** Tables of what a list of deposits shows beside them. */
const BESIDE_DEPOSITS = {
  operations: ['GetItem'],
  clients: CLIENT_NAMES,
  proposals: OPEN_PROPOSALS,
} as const satisfies TableUse;

const ofDeposit = z.object({ arguments: z.object({ custodianTransferId: z.string() }) });

/** Shows the deposit, and where its return goes, to the operator who is asked. */
const depositToSend: ShownLookup = {
  contract: readDepositContract,
  query: (body) => ({ deposit: ofDeposit.parse(body).arguments.custodianTransferId }),
};

const DEPOSIT = { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' };

/** Operators' look-ups and changes of off-ramps and their deposits. */
export const offRampOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: readDepositContract,
    tables: {
      deposits: ['GetItem', 'Query:byHash', 'BatchGetItem'],
      operations: ['GetItem'],
      audit: AUDITED_CHANGES,
      proposals: OPEN_PROPOSALS,
    },
    environment: heldReturnsEnvironment,
    example: { deposit: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: listWaitingContract,
    tables: {
      operations: ['Query', 'Query:awaiting'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: ['GetItem', 'Query:byName', ...CLIENT_NAMES],
      proposals: OPEN_PROPOSALS,
    },
    example: {},
  },
  {
    contract: listUnmatchedContract,
    tables: { deposits: ['Query:unmatched', 'BatchGetItem'], ...BESIDE_DEPOSITS },
    example: {},
  },
  {
    contract: listOwedContract,
    tables: { deposits: ['Query:owed', 'BatchGetItem'], ...BESIDE_DEPOSITS },
    example: {},
  },
  {
    contract: listReturnsContract,
    tables: { deposits: ['Query:returns', 'BatchGetItem'], ...BESIDE_DEPOSITS },
    environment: heldReturnsEnvironment,
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
    environment: timeZoneEnvironment,
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
      by: ['clientId', 'token', 'status', 'isPaidOut', 'depositStatus'],
      adds: ['amount'],
    },
  },
  {
    contract: pollDepositContract,
    tables: { deposits: ['GetItem', 'UpdateItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: giveUpUnreadableContract,
    tables: { deposits: ['UpdateItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
    question:
      'The service no longer asks for this transfer. Has the custodian confirmed that it carries no money, or given another id for it?',
  },
  {
    contract: resolveContradictionContract,
    tables: { operations: ['GetItem', 'UpdateItem'], hashes: ['GetItem'], deposits: ['UpdateItem'] },
    example: { operationId: OPERATION_ID, outcome: 'paid', sequence: '4' },
    question:
      'The payout service or the bank must have confirmed it: a deposit that was paid out is never returned. Is it certain?',
  },
  {
    contract: putBackContract,
    tables: { operations: ['GetItem', 'PutItem'], hashes: ['GetItem', 'PutItem'], events: ['GetItem', 'Query'] },
    example: { operationId: OPERATION_ID },
    question:
      'The off-ramp awaits its deposit again, whatever happened to that deposit before. Was the table restored to a time before the creation of the off-ramp?',
  },
  {
    contract: searchHashContract,
    tables: { deposits: ['GetItem', 'PutItem', 'UpdateItem'] },
    example: { network: 'POLYGON', txHash: '0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
  },
  {
    contract: settleDepositContract,
    tables: { deposits: ['GetItem'], operations: ['GetItem'], proposals: ['PutItem'] },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…', outcome: 'kept' },
  },
  {
    contract: unsettleDepositContract,
    tables: {
      deposits: ['GetItem', 'UpdateItem'],
      operations: ['GetItem', 'ConditionCheckItem'],
      proposals: ['PutItem'],
    },
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: creditDepositContract,
    tables: { ...CREDITS, proposals: ['PutItem'] },
    permissions: ['find transfers'],
    example: { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f…', operation: OPERATION_ID },
    question: 'A credited deposit is paid out, and no command takes that back. Is it certain whose money it is?',
  },
  {
    contract: confirmDepositContract,
    tables: { ...CREDITS, proposals: ['GetItem', 'UpdateItem'] },
    permissions: ['find transfers'],
    example: { proposalId: PROPOSAL_ID },
    shows: proposalToConfirm,
    question:
      'You are the second person, and it is done at once: what is credited is paid out, and what is kept or was not sent leaves its list. Have you checked it yourself?',
  },
  {
    contract: requestReturnContract,
    tables: RETURNS,
    environment: (stage) => ({
      ...returnsEnvironment(stage),
      ...heldReturnsEnvironment(stage),
      ...approvalsEnvironment(stage),
      NETWORK_RULES: JSON.stringify(stage.networkRules),
    }),
    example: DEPOSIT,
  },
  {
    contract: approveReturnContract,
    tables: RETURNS,
    example: DEPOSIT,
    shows: depositToSend,
    question: 'What is sent back is gone. Have you checked yourself that it was never paid out, and where it goes?',
  },
  { contract: declineReturnContract, tables: RETURNS, example: DEPOSIT },
  {
    contract: startReturnContract,
    tables: { ...RETURNS, hashes: ['PutItem'] },
    permissions: ['find transfers'],
    example: DEPOSIT,
    shows: depositToSend,
    question: 'From now on it can no longer be declined. Will you send it now?',
  },
  {
    contract: recordReturnContract,
    tables: { ...RETURNS, hashes: ['GetItem', 'PutItem'] },
    permissions: ['find what left'],
    example: { ...DEPOSIT, hash: '0x7b2f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
  },
  {
    contract: abortReturnContract,
    tables: { ...RETURNS, proposals: ['PutItem'] },
    example: DEPOSIT,
    shows: depositToSend,
    question: 'If it is sent all the same, it is sent twice. Is it certain that nothing was sent, and nothing will be?',
  },
];
