import { AUDITED_CHANGES, type OperatorRoute } from '#infra/platform/operator-route.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { listAudit } from '#shared/operators/audit-records.ts';
import { redriveDeadLetters } from '#shared/operators/dead-letter-commands.ts';
import { readDelivery } from '#shared/operators/delivery-lookup.ts';
import { readDeposit } from '#shared/operators/deposit-lookup.ts';
import {
  listContradictions,
  listDeadLetters,
  listFailingWebhooks,
  listMismatched,
  listOwed,
  listUnmatched,
  listUnpaid,
  listUnreadable,
  listWaiting,
} from '#shared/operators/lists.ts';
import { readOperation } from '#shared/operators/operation-lookup.ts';
import { readPayin } from '#shared/operators/pay-in-lookup.ts';
import { completedLine, creditedLine, reportOfframps, reportPayins } from '#shared/operators/reports.ts';

/** Lists have names of clients beside their ids. */
const NAMES = ['BatchGetItem'] as const;

/** By whose clocks the days of reports are. */
const TIME_ZONE = ({ settings }: Stage) => ({ TIME_ZONE: settings.timeZone ?? 'UTC' });

/** What operators look up across modules: where money is, and why; and what could not be handled, which they move back. */
export const operationRoutes: readonly OperatorRoute[] = [
  {
    contract: readOperation,
    tables: {
      operations: ['Query', 'Query:byReference', 'Query:anyReference', 'BatchGetItem'],
      hashes: ['GetItem'],
      clients: ['GetItem'],
      deposits: ['Query:byOperation', 'Query:byHash', 'BatchGetItem'],
      events: ['Query:about', 'BatchGetItem'],
      webhooks: ['Query'],
      webhookHealth: ['BatchGetItem'],
      deliveries: ['BatchGetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { operation: '0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
  },
  {
    contract: readDeposit,
    tables: {
      deposits: ['GetItem', 'Query:byHash', 'BatchGetItem'],
      operations: ['GetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { deposit: 'simulated:sim:POLYGON:0x6a1f…' },
  },
  {
    contract: readPayin,
    tables: {
      payins: ['GetItem', 'Query:anyReference', 'BatchGetItem'],
      events: ['Query:about', 'BatchGetItem'],
      webhooks: ['Query'],
      webhookHealth: ['BatchGetItem'],
      deliveries: ['BatchGetItem'],
      audit: AUDITED_CHANGES,
    },
    example: { payin: 'ad495498-a912-42de-ba49-1ee162dd0f19' },
  },
  {
    contract: readDelivery,
    tables: { deliveries: ['Query'], webhooks: ['GetItem'], webhookHealth: ['BatchGetItem'], audit: AUDITED_CHANGES },
    example: { delivery: 'dlv_0123456789abcdef0123456789abcdef' },
  },
  {
    contract: listWaiting,
    tables: {
      operations: ['Query', 'Query:awaiting'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: ['GetItem', ...NAMES],
    },
    example: {},
  },
  {
    contract: listUnmatched,
    tables: { deposits: ['Query:unmatched', 'BatchGetItem'], operations: ['GetItem'], clients: NAMES },
    example: {},
  },
  {
    contract: listUnreadable,
    tables: {
      deposits: ['Query:unreadable', 'BatchGetItem'],
      payins: ['Query:unreadable', 'BatchGetItem'],
    },
    example: {},
  },
  {
    contract: listOwed,
    tables: { deposits: ['Query:owed', 'BatchGetItem'], operations: ['GetItem'], clients: NAMES },
    example: {},
  },
  {
    contract: listContradictions,
    tables: { operations: ['Query:contradicted', 'BatchGetItem'] },
    example: {},
  },
  {
    contract: listUnpaid,
    tables: {
      operations: ['Query', 'Query:pending'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: NAMES,
    },
    environment: ({ payoutHours }) => ({ PAYOUT_HOURS: String(payoutHours) }),
    example: {},
  },
  { contract: listMismatched, tables: { payins: ['Query:mismatched', 'GetItem'], clients: NAMES }, example: {} },
  {
    contract: listFailingWebhooks,
    tables: {
      webhookHealth: ['Query:failing', 'BatchGetItem'],
      webhooks: ['GetItem'],
      deliveries: ['Query:byWebhook', 'BatchGetItem'],
      clients: NAMES,
    },
    example: {},
  },
  {
    contract: listAudit,
    tables: { audit: ['Query:about', 'Query:byPerson', 'BatchGetItem'] },
    example: { by: 'alice@example.com' },
  },
  { contract: listDeadLetters, tables: {}, looksAtDeadLetters: true, example: {} },
  {
    contract: reportOfframps,
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
    contract: reportPayins,
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
    contract: redriveDeadLetters,
    tables: {},
    movesDeadLetters: true,
    example: { queue: 'Deliveries/Events' },
    question: 'All of its messages are worked on again, and those that fail again come back. Move them?',
  },
];
