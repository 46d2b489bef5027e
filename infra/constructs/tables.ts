import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';

interface TableShape {
  readonly key: readonly [partition: string, sort?: string];
  /** Sparse indexes of keys only; what they find is read again by its key. */
  readonly indexes?: Readonly<Record<string, readonly [partition: string, sort: string]>>;
  /** What an index has besides, for whoever decides by it which of many to read. */
  readonly alsoIn?: Readonly<Record<string, readonly string[]>>;
  readonly timeToLive?: string;
  /** What is written to it is told on, as it then is. */
  readonly streams?: true;
}

/** Every table of the service. Keys are texts; items are described where they are read, in `shared/dynamodb`. */
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
      due: ['dueShard', 'nextLookAt'],
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

export type Tables = readonly { readonly name: TableName; readonly table: TableV2 }[];

/** Names of a table's indexes. */
export function indexesOf(name: TableName): readonly string[] {
  const shape: TableShape = tableShapes[name];
  return Object.keys(shape.indexes ?? {});
}

export function tableNamed(tables: Tables, name: TableName): TableV2 {
  const found = tables.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no table ${name}.`);
  return found.table;
}

export function createTables(scope: Construct, stage: Stage): Tables {
  const tables = new Construct(scope, 'Tables');
  const names = Object.keys(tableShapes).filter((name): name is TableName => name in tableShapes);
  return names.map((name) => ({ name, table: createTable(tables, name, tableShapes[name], stage) }));
}

function createTable(scope: Construct, name: TableName, shape: TableShape, stage: Stage): TableV2 {
  const text = (attribute: string) => ({ name: attribute, type: AttributeType.STRING });
  const [partition, sort] = shape.key;
  return new TableV2(scope, name, {
    partitionKey: text(partition),
    ...(sort !== undefined && { sortKey: text(sort) }),
    globalSecondaryIndexes: Object.entries(shape.indexes ?? {}).map(
      ([indexName, [indexPartition, indexSort]]): GlobalSecondaryIndexPropsV2 => ({
        indexName,
        partitionKey: text(indexPartition),
        sortKey: text(indexSort),
        ...projectionOf(shape.alsoIn?.[indexName]),
      }),
    ),
    ...(shape.timeToLive !== undefined && { timeToLiveAttribute: shape.timeToLive }),
    ...(shape.streams && { dynamoStream: StreamViewType.NEW_IMAGE }),
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: stage.keepsData,
    removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

function projectionOf(alsoIn: readonly string[] | undefined) {
  if (alsoIn === undefined) return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...alsoIn] };
}
