import type { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { KMSClient } from '@aws-sdk/client-kms';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The AWS clients of a handler; each handler takes, and bundles, only those that it uses. */
export interface AwsClients {
  readonly apiGateway: APIGatewayClient;
  readonly dynamo: DynamoDBDocumentClient;
  readonly eventBridge: EventBridgeClient;
  readonly kms: KMSClient;
  readonly sqs: SQSClient;
  readonly stepFunctions: SFNClient;
}

/** Set for the local AWS, where fifty functions share one machine and wait for each other. */
const factor = Number(process.env['AWS_TIME_LIMIT_FACTOR'] ?? 1);

/** Milliseconds until the connection is open; AWS is in the same region. */
const CONNECT = 1000 * factor;

/**
 * Milliseconds until the answer begins, and between two parts of it. AWS answers in a tenth of that; no function holds
 * a call open.
 */
const ANSWER = 3000 * factor;

/**
 * The options of every AWS client. Without them the SDK waits for as long as a connection is open, and a dead
 * connection holds its function until it is stopped. With them the call fails and the SDK retries: three tries, four
 * for DynamoDB. All tries take half of the time of a route's function.
 */
export const awsClientOptions = {
  requestHandler: {
    connectionTimeout: CONNECT,
    requestTimeout: ANSWER,
    throwOnRequestTimeout: true,
    socketTimeout: ANSWER,
  },
};

/** Transient errors of AWS: another transaction holds the item, or requests are throttled. */
const TRANSIENT: readonly string[] = [
  'TransactionConflict',
  'TransactionInProgress',
  'Throttling',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
];

/**
 * True for a transient error. AWS names it `ThrottlingException` when thrown, and `ThrottlingError` as the reason of a
 * cancelled leg.
 */
export function isTransient(code: string | undefined): boolean {
  return code !== undefined && TRANSIENT.includes(code.replace(/(Exception|Error)$/, ''));
}

/** True for a transient error that is a throttled request. */
export function isThrottled(code: string): boolean {
  return isTransient(code) && !code.startsWith('Transaction');
}

/**
 * Makes a client's first call while the function starts, where it has a full processor and nobody waits: that call
 * costs as much as loading the client. Its result and any error are ignored.
 */
export async function warmUp(firstCall: Promise<unknown>): Promise<void> {
  await firstCall.catch(() => undefined);
}

/** An id that no item has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
