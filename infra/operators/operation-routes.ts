import { AUDITED_CHANGES, type OperatorRoute } from '#infra/platform/operator-route.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { listAuditContract } from '#shared/operators/audit-records.ts';
import { redriveDeadLettersContract } from '#shared/operators/dead-letter-commands.ts';
import { readDeliveryContract } from '#shared/operators/delivery-lookup.ts';
import { readDepositContract } from '#shared/operators/deposit-lookup.ts';
import {
  listContradictionsContract,
  listDeadLettersContract,
  listFailingWebhooksContract,
  listMismatchedContract,
  listOwedContract,
  listUnmatchedContract,
  listUnpaidContract,
  listUnreadableContract,
  listWaitingContract,
} from '#shared/operators/lists.ts';
import { readOperationContract } from '#shared/operators/operation-lookup.ts';
import { readPayinContract } from '#shared/operators/pay-in-lookup.ts';
import {
  completedLine,
  creditedLine,
  reportOfframpsContract,
  reportPayinsContract,
} from '#shared/operators/reports.ts';

/** Lists have names of clients beside their ids. */
const NAMES = ['BatchGetItem'] as const;

/** By whose clocks the days of reports are. */
const TIME_ZONE = ({ settings }: Stage) => ({ TIME_ZONE: settings.timeZone ?? 'UTC' });

/** What operators look up across modules: where money is, and why; and what could not be handled, which they move back. */
export const operationRoutes: readonly OperatorRoute[] = [
  {
    contract: readOperationContract,
    tables: {
      operations: ['Query', 'Query:byReference', 'Query:anyReference', 'BatchGetItem'],
      hashes: ['GetItem'],
      clients: ['GetItem'],
      deposits: ['Query:byOperation', 'Query:byHash', 'BatchGetItem'],
      events: ['Query'],
      webhooks: ['Query'],
      webhookHealth: ['BatchGetItem'],
      deliveries: ['BatchGetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { operation: '0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
  },
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
    contract: readPayinContract,
    tables: {
      payins: ['GetItem', 'Query:anyReference', 'BatchGetItem'],
      events: ['Query'],
      webhooks: ['Query'],
      webhookHealth: ['BatchGetItem'],
      deliveries: ['BatchGetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { payin: 'ad495498-a912-42de-ba49-1ee162dd0f19' },
  },
  {
    contract: readDeliveryContract,
    tables: {
      deliveries: ['GetItem'],
      webhooks: ['GetItem'],
      webhookHealth: ['BatchGetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { delivery: 'dlv_0123456789abcdef0123456789abcdef' },
  },
  {
    contract: listWaitingContract,
    tables: {
      operations: ['Query', 'Query:awaiting'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: ['GetItem', ...NAMES],
    },
    example: {},
  },
  {
    contract: listUnmatchedContract,
    tables: { deposits: ['Query:unmatched', 'BatchGetItem'], operations: ['GetItem'], clients: NAMES },
    example: {},
  },
  {
    contract: listUnreadableContract,
    tables: {
      deposits: ['Query:unreadable', 'BatchGetItem'],
      payins: ['Query:unreadable', 'BatchGetItem'],
    },
    example: {},
  },
  {
    contract: listOwedContract,
    tables: { deposits: ['Query:owed', 'BatchGetItem'], operations: ['GetItem'], clients: NAMES },
    example: {},
  },
  {
    contract: listContradictionsContract,
    tables: { operations: ['Query:contradicted', 'BatchGetItem'] },
    example: {},
  },
  {
    contract: listUnpaidContract,
    tables: {
      operations: ['Query', 'Query:pending'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: NAMES,
    },
    environment: ({ payoutHours }) => ({ PAYOUT_HOURS: String(payoutHours) }),
    example: {},
  },
  {
    contract: listMismatchedContract,
    tables: { payins: ['Query:mismatched', 'GetItem'], clients: NAMES },
    example: {},
  },
  {
    contract: listFailingWebhooksContract,
    tables: {
      webhookHealth: ['Query:failing', 'BatchGetItem'],
      webhooks: ['GetItem'],
      deliveries: ['Query:byWebhook', 'BatchGetItem'],
      clients: NAMES,
    },
    example: {},
  },
  {
    contract: listAuditContract,
    tables: { audit: ['Query:about', 'Query:byPerson', 'BatchGetItem'] },
    example: { by: 'alice@example.com' },
  },
  { contract: listDeadLettersContract, tables: {}, looksAtDeadLetters: true, example: {} },
  {
    contract: reportOfframpsContract,
    environment: TIME_ZONE,
    tables: { operations: ['Query:credited', 'BatchGetItem'], deposits: ['BatchGetItem'] },
    example: { from: '2026-11-01', to: '2026-11-30' },
    report: {
      columns: [...Object.keys(creditedLine.shape), 'day'],
      at: 'creditedAt',
      by: ['clientId', 'token', 'status', 'depositStatus'],
    },
  },
  {
    contract: reportPayinsContract,
    environment: TIME_ZONE,
    tables: { payins: ['Query:completed', 'BatchGetItem'] },
    example: { from: '2026-11-01', to: '2026-11-30' },
    report: {
      columns: [...Object.keys(completedLine.shape), 'day'],
      at: 'completedAt',
      by: ['clientId', 'paymentMethod', 'currency', 'status', 'settlement'],
    },
  },
  {
    contract: redriveDeadLettersContract,
    tables: {},
    movesDeadLetters: true,
    example: { queue: 'Deliveries/Events' },
    question: 'All of its messages are handled again, and those that fail again come back. Move them?',
  },
];
