export interface TableShape {
  readonly key: readonly [partition: string, sort?: string];
  /** Sparse indexes of keys only; the items that they find are read again by key. */
  readonly indexes?: Readonly<Record<string, readonly [partition: string, sort: string]>>;
  /** Further attributes of an index, by which a reader decides which items to read. */
  readonly alsoIn?: Readonly<Record<string, readonly string[]>>;
  readonly timeToLive?: string;
  /** Its stream delivers each written item, as it was and as it is. */
  readonly streams?: true;
}

/** Every table of the service. Keys are texts; items are described in the stores that read them. */
export const tableShapes = {
  operations: {
    key: ['operationId', 'record'],
    indexes: {
      byUser: ['userId', 'createdAt'],
      byReference: ['userId', 'externalReference'],
      byClient: ['clientId', 'createdAt'],
      byClientReference: ['clientReference', 'createdAt'],
      anyReference: ['externalReference', 'createdAt'],
      due: ['dueShard', 'nextCheckAt'],
      awaiting: ['awaitingShard', 'expiresAt'],
      credited: ['clientId', 'creditedAt'],
      pending: ['pendingShard', 'creditedAt'],
      contradicted: ['contradictedShard', 'contradictedSince'],
    },
    alsoIn: { byReference: ['createdAt'] },
  },
  hashes: { key: ['claim'] },
  /** Deposits are kept for ever; hashes that are searched, `HASH#…`, expire once the search is over. */
  deposits: {
    key: ['custodianTransferId'],
    indexes: {
      unmatched: ['unmatched', 'unmatchedSince'],
      owed: ['owed', 'owedSince'],
      unreadable: ['unreadable', 'unreadableSince'],
      returns: ['returnState', 'returnDueAt'],
      arriving: ['arrivingAt', 'firstNotifiedAt'],
      byOperation: ['operationId', 'detectedAt'],
      byHash: ['txHash', 'firstNotifiedAt'],
      byDay: ['createdOn', 'createdAt'],
      due: ['dueShard', 'dueAt'],
    },
    alsoIn: { due: ['nextPollAt'], owed: ['settled', 'unmatched'] },
    timeToLive: 'expiresAt',
  },
  payins: {
    key: ['payinId', 'record'],
    indexes: {
      byUser: ['userId', 'createdAt'],
      byReference: ['userId', 'externalReference'],
      byClient: ['clientId', 'createdAt'],
      byClientReference: ['clientReference', 'createdAt'],
      anyReference: ['externalReference', 'createdAt'],
      due: ['clientId', 'nextPollAt'],
      mismatched: ['mismatched', 'mismatchedAt'],
      unreadable: ['unreadable', 'unreadableSince'],
      completed: ['completedShard', 'completedAt'],
    },
    alsoIn: { byReference: ['createdAt'] },
  },
  /** The books: a page for each day of each book, the progress of each book, and what went out by day in UTC. */
  books: { key: ['book', 'entry'] },
  /** Events, until the bus has accepted them and for as long as they may be sent again. */
  events: {
    key: ['subject', 'change'],
    indexes: { unpublished: ['unpublishedIn', 'occurredAt'], byClient: ['clientId', 'place'] },
    alsoIn: { byClient: ['body'] },
    timeToLive: 'expiresAt',
    streams: true,
  },
  /** Keyed by event and webhook together; an item has the attempts of its delivery. */
  deliveries: {
    key: ['deliveryId'],
    indexes: { byWebhook: ['webhookId', 'createdAt'], due: ['clientId', 'dueAt'] },
    alsoIn: { due: ['webhookId', 'nextAttemptAt'] },
    timeToLive: 'expiresAt',
  },
  /** The breaker of each webhook, apart from its configuration, which deliveries do not write. */
  webhookHealth: {
    key: ['webhookId'],
    indexes: { failing: ['failingShard', 'failingSince'], due: ['dueShard', 'dueAt'] },
    alsoIn: { due: ['clientId'] },
    timeToLive: 'expiresAt',
  },
  /** The shared capacity in slots: each slot that is held, its holder, and the end of its lease. */
  slots: { key: ['slot'], timeToLive: 'expiresAt' },
  /** The used part of each client's limits, apart from the client's record, which clients' calls do not write. */
  allowances: { key: ['allowance'], timeToLive: 'expiresAt' },
  /** What providers allow each API user that the service has there: pauses, and the used part of a minute. */
  providerLimits: { key: ['limit'], timeToLive: 'expiresAt' },
  /**
   * Deposit addresses, by pool, that are free or being made; how many each client has taken, and the address that each
   * operation and each user got.
   */
  addressPool: { key: ['pool', 'entry'], timeToLive: 'expiresAt' },
  /** Clients, and beside each its claim of an identification number. */
  clients: { key: ['clientId'], indexes: { byName: ['directory', 'searchName'] } },
  /** The items of users whose data are erased expire, once the law does not require them any more. */
  users: { key: ['userId'], indexes: { byClient: ['clientId', 'userId'] }, timeToLive: 'expiresAt' },
  wallets: { key: ['userId', 'walletId'], timeToLive: 'expiresAt' },
  parameters: { key: ['kind', 'id'] },
  webhooks: { key: ['clientId', 'webhookId'] },
  /** The operators' changes, kept for ever: two items each, which the service never alters or deletes. */
  audit: {
    key: ['auditId', 'record'],
    indexes: { about: ['about', 'at'], byPerson: ['person', 'at'], byDay: ['day', 'at'] },
  },
  /** Changes that take two persons, each with its proposer. They expire; the audit stays. */
  proposals: { key: ['proposalId'], indexes: { open: ['openIn', 'proposedAt'] }, timeToLive: 'expiresAt' },
  idempotency: { key: ['scopeDigest'], timeToLive: 'expiresAt' },
  /** Belongs to the simulated custodian; nothing but its adapter reads it. */
  simulatedTransactions: { key: ['custodianTransferId'], indexes: { byCreation: ['createdOn', 'createdAt'] } },
  /** Belongs to the simulated rail. */
  simulatedPayments: { key: ['paymentId'], indexes: { byDay: ['createdOn', 'createdAt'] } },
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof tableShapes;

/**
 * Tables that no restore touches (decisions.md 4, Putting back). Audit and events say what was made since. Addresses
 * that the pool has given away, or had made, would be given again. Without its idempotency record, a creation that a
 * client repeats makes a second off-ramp, or a second payment at the rail. The last two are custodian and rail in a
 * sandbox.
 */
const neverRestored = [
  'audit',
  'events',
  'addressPool',
  'idempotency',
  'simulatedTransactions',
  'simulatedPayments',
] as const;

export type RestoredTable = Exclude<TableName, (typeof neverRestored)[number]>;

const isTable = (name: string): name is TableName => name in tableShapes;

export const tableNames: readonly TableName[] = Object.keys(tableShapes).filter(isTable);

/** Tables that are restored, all to the same second. */
export const restoredTables: readonly RestoredTable[] = tableNames.filter(
  (name): name is RestoredTable => !neverRestored.some((one) => one === name),
);

/**
 * The data actions of DynamoDB that functions use; a transaction needs those of its parts. `Query:byUser` queries an
 * index.
 */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | `Query:${string}`
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** The actions that a function may take on each table; it may take no others. */
export type TableUse = Partial<Readonly<Record<TableName, readonly TableAction[]>>>;

/** All actions that any of these uses has. */
export function sumOfUses(uses: readonly TableUse[]): TableUse {
  const sum: Record<string, Set<TableAction>> = {};
  for (const [table, actions] of uses.flatMap((use) => Object.entries(use))) {
    sum[table] ??= new Set();
    for (const action of actions) sum[table].add(action);
  }
  return Object.fromEntries(Object.entries(sum).map(([table, actions]) => [table, [...actions]]));
}
