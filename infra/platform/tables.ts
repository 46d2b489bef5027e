import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Stage } from '#infra/stage/stages.ts';
import { type TableName, type TableShape, tableNames, tableShapes } from '#infra/stage/table-shapes.ts';

export type Tables = readonly { readonly name: TableName; readonly table: TableV2 | ITableV2 }[];

/** The view that a table with replicas has. Another view is another stream, and so needs another version. */
const STREAM = StreamViewType.NEW_AND_OLD_IMAGES;

/**
 * Raise the number when a stream has got another ARN, because it was off for a while: the next deployment then reads
 * the new stream.
 */
export const STREAM_VERSION = `${STREAM}-1`;

/** Names of a table's indexes. */
export function indexesOf(name: TableName): readonly string[] {
  const shape: TableShape = tableShapes[name];
  return Object.keys(shape.indexes ?? {});
}

export function tableNamed(tables: Tables, name: TableName): TableV2 | ITableV2 {
  const found = tables.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no table ${name}.`);
  return found.table;
}

/**
 * The tables that the service uses. The tables of the stack stay in it when restored ones take their place. Restored
 * tables are outside of the stack until the setting has them imported, each under an id of its own, so that the next
 * restore replaces none of them.
 *
 * @param policies of tables that few may write, whatever else an identity of the account may do; the local AWS has none
 */
export function createTables(
  scope: Construct,
  stage: Stage,
  policies: Partial<Readonly<Record<TableName, PolicyDocument>>>,
): Tables {
  const tables = new Construct(scope, 'Tables');
  const restored = new Construct(scope, 'Restored');
  const names: Partial<Readonly<Record<TableName, string>>> = stage.settings.restored?.tables ?? {};
  return tableNames.map((name) => {
    const shape = tableShapes[name];
    const made = createTable(tables, name, { shape, stage, policy: policies[name] });
    const tableName = names[name];
    if (tableName === undefined) return { name, table: made };
    if (stage.settings.restored?.inStack !== true)
      return { name, table: TableV2.fromTableName(restored, name, tableName) };
    return { name, table: createTable(restored, tableName, { shape, stage, tableName }) };
  });
}

interface TableProps {
  readonly shape: TableShape;
  readonly stage: Stage;
  readonly policy?: PolicyDocument | undefined;
  /** CloudFormation gives the name when there is none. */
  readonly tableName?: string;
}

function createTable(scope: Construct, id: string, { shape, stage, policy, tableName }: TableProps): TableV2 {
  const text = (attribute: string) => ({ name: attribute, type: AttributeType.STRING });
  const [partition, sort] = shape.key;
  return new TableV2(scope, id, {
    ...(tableName !== undefined && { tableName }),
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
    ...(shape.streams && { dynamoStream: STREAM }),
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    ...(stage.keepsData && policy && { resourcePolicy: policy }),
    deletionProtection: stage.keepsData,
    removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

function projectionOf(alsoIn: readonly string[] | undefined) {
  if (alsoIn === undefined) return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...alsoIn] };
}
