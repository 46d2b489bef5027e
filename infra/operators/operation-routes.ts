import { heldReturnsEnvironment } from '#infra/off-ramps/return-environment.ts';
import { AUDITED_CHANGES, CLIENT_NAMES, OPEN_PROPOSALS, type OperatorRoute } from '#infra/platform/operator-route.ts';
import { redriveDeadLettersContract } from '#shared/operators/dead-letter-commands.ts';
import {
  listDeadLettersContract,
  listSinceContract,
  listUnreadableContract,
  readOperationContract,
  readPayinContract,
} from '#shared/operators/lookups.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { listProposalsContract } from '#shared/platform/operators/proposals.ts';

/** Lookups across modules: where money is, and why; and dead letters, with the command that moves them back. */
export const operationRoutes: readonly OperatorRoute[] = [
  {
    contract: readOperationContract,
    tables: {
      operations: ['Query', 'Query:byUser', 'Query:byReference', 'Query:anyReference', 'BatchGetItem'],
      hashes: ['GetItem'],
      clients: ['GetItem'],
      deposits: ['Query:byOperation', 'Query:byHash', 'BatchGetItem'],
      events: ['Query'],
      webhooks: ['Query'],
      webhookHealth: ['BatchGetItem'],
      deliveries: ['BatchGetItem'],
      audit: AUDITED_CHANGES,
      proposals: OPEN_PROPOSALS,
    },
    environment: heldReturnsEnvironment,
    example: { operation: '0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
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
      proposals: OPEN_PROPOSALS,
    },
    example: { payin: 'ad495498-a912-42de-ba49-1ee162dd0f19' },
  },
  {
    contract: listUnreadableContract,
    tables: {
      deposits: ['Query:unreadable', 'BatchGetItem'],
      payins: ['Query:unreadable', 'BatchGetItem'],
      clients: CLIENT_NAMES,
    },
    example: {},
  },
  {
    contract: listAuditContract,
    tables: { audit: ['Query:about', 'Query:byPerson', 'BatchGetItem'] },
    example: { by: 'alice@example.com' },
  },
  {
    contract: listSinceContract,
    tables: {
      audit: ['Query:byDay', 'BatchGetItem'],
      events: ['Query:unpublished', 'Query:byClient', 'BatchGetItem'],
      operations: ['BatchGetItem'],
      hashes: ['BatchGetItem'],
      payins: ['BatchGetItem'],
      clients: ['Query:byName'],
    },
    example: { since: '2026-11-20T10:00:00Z' },
    lines: ['at', 'what', 'about', 'clientId', 'isThere', 'next', 'who', 'arguments'],
  },
  {
    contract: listProposalsContract,
    tables: { proposals: ['GetItem', ...OPEN_PROPOSALS] },
    argument: 'proposal',
    example: {},
  },
  { contract: listDeadLettersContract, tables: {}, looksAtDeadLetters: true, example: {} },
  {
    contract: redriveDeadLettersContract,
    tables: {},
    movesDeadLetters: true,
    example: { queue: 'Deliveries/Events' },
    question: 'All of its messages are handled again, and those that fail again come back. Move them?',
  },
];
