export interface TableShape {
  readonly key: readonly [partition: string, sort?: string];
  /** Sparse indexes of keys only; what they find is read again by its key. */
  readonly indexes?: Readonly<Record<string, readonly [partition: string, sort: string]>>;
  /** What an index has besides, for whoever decides by it which of many to read. */
  readonly alsoIn?: Readonly<Record<string, readonly string[]>>;
  readonly timeToLive?: string;
  /** What is written to it is told on, as it then is. */
  readonly streams?: true;
}

/** Every table of the service. Keys are texts; items are described where they are read, in the stores. */
export const tableShapes = {
  operations: {
    key: ['operationId', 'record'],
    indexes: {
      byUser: ['userId', 'createdAt'],
      byReference: ['userReference', 'createdAt'],
      awaiting: ['awaitedDepositKey', 'createdAt'],
      due: ['dueShard', 'nextCheckAt'],
    },
  },
  hashes: { key: ['claim'] },
  /** Deposits are kept for ever; hashes that are looked for, `HASH#…`, are forgotten once that is over. */
  deposits: {
    key: ['custodianTransferId'],
    indexes: {
      unmatched: ['unmatched', 'unmatchedSince'],
      arriving: ['arrivingAt', 'firstNotifiedAt'],
      due: ['dueShard', 'dueAt'],
    },
    timeToLive: 'expiresAt',
  },
  payins: {
    key: ['payinId', 'record'],
    indexes: {
      byUser: ['userId', 'createdAt'],
      byReference: ['userReference', 'createdAt'],
      due: ['dueShard', 'nextPollAt'],
    },
  },
  /** What happened, until the bus has it and for as long as it may be sent again. */
  events: {
    key: ['eventId'],
    indexes: { unpublished: ['unpublishedIn', 'occurredAt'], byClient: ['clientId', 'occurredAt'] },
    timeToLive: 'expiresAt',
    streams: true,
  },
  /** Keyed by event and webhook together; its attempts are beside it. */
  deliveries: {
    key: ['deliveryId', 'record'],
    indexes: { byWebhook: ['webhookId', 'createdAt'], due: ['dueShard', 'dueAt'] },
    alsoIn: { due: ['webhookId', 'clientId', 'nextAttemptAt'] },
    timeToLive: 'expiresAt',
  },
  /** The breaker of each webhook, apart from its configuration, which deliveries do not write. */
  webhookHealth: { key: ['webhookId'], timeToLive: 'expiresAt' },
  /** What clients share, in parts: each slot that is held, by whom, and until when at most. */
  slots: { key: ['slot'], timeToLive: 'expiresAt' },
  clients: { key: ['clientId'] },
  users: { key: ['userId'] },
  wallets: { key: ['userId', 'walletId'] },
  parameters: { key: ['kind', 'id'] },
  webhooks: { key: ['clientId', 'webhookId'] },
  idempotency: { key: ['scopeDigest'], timeToLive: 'expiresAt' },
  /** The simulated custodian's own; nothing but its adapter reads it. */
  simulatedTransactions: { key: ['custodianTransferId'] },
  /** The simulated rail's own. */
  simulatedPayments: { key: ['paymentId'] },
} as const satisfies Record<string, TableShape>;

export type TableName = keyof typeof tableShapes;
