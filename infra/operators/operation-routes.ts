import { readDelivery } from '#shared/operators/delivery-lookup.ts';
import { readDeposit } from '#shared/operators/deposit-lookup.ts';
import {
  listDeadLetters,
  listFailingWebhooks,
  listMismatched,
  listUnmatched,
  listWaiting,
} from '#shared/operators/lists.ts';
import { readOperation } from '#shared/operators/operation-lookup.ts';
import { readPayin } from '#shared/operators/pay-in-lookup.ts';
import type { OperatorRoute } from './operator-route.ts';

/** What operators look up across modules: where money is, and why. */
export const operationRoutes: readonly OperatorRoute[] = [
  {
    contract: readOperation,
    tables: {
      operations: ['Query', 'Query:byReference'],
      hashes: ['GetItem'],
      clients: ['GetItem'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      events: ['Query:about', 'BatchGetItem'],
      webhooks: ['Query'],
      deliveries: ['BatchGetItem'],
    },
    example: { operation: '0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
  },
  { contract: readDeposit, tables: { deposits: ['GetItem'] }, example: { deposit: "'simulated|sim:POLYGON:0x6a1f…'" } },
  {
    contract: readPayin,
    tables: {
      payins: ['GetItem'],
      events: ['Query:about', 'BatchGetItem'],
      webhooks: ['Query'],
      deliveries: ['BatchGetItem'],
    },
    example: { payin: 'ad495498-a912-42de-ba49-1ee162dd0f19' },
  },
  {
    contract: readDelivery,
    tables: { deliveries: ['Query'], webhooks: ['GetItem'], webhookHealth: ['GetItem'] },
    example: { delivery: 'dlv_0123456789abcdef0123456789abcdef' },
  },
  {
    contract: listWaiting,
    tables: {
      operations: ['Query', 'Query:awaiting'],
      deposits: ['Query:byOperation', 'BatchGetItem'],
      clients: ['GetItem'],
    },
    example: {},
  },
  { contract: listUnmatched, tables: { deposits: ['Query:unmatched', 'BatchGetItem'] }, example: {} },
  { contract: listMismatched, tables: { payins: ['Query:mismatched', 'GetItem'] }, example: {} },
  {
    contract: listFailingWebhooks,
    tables: { webhookHealth: ['Query:failing', 'BatchGetItem'], webhooks: ['GetItem'] },
    example: {},
  },
  { contract: listDeadLetters, tables: {}, countsDeadLetters: true, example: {} },
];
