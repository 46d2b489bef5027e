import type { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { KMSClient } from '@aws-sdk/client-kms';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The clients of AWS that a handler is wired with; each takes, and bundles, only those that it uses. */
export interface AwsClients {
  readonly apiGateway: APIGatewayClient;
  readonly dynamo: DynamoDBDocumentClient;
  readonly eventBridge: EventBridgeClient;
  readonly kms: KMSClient;
  readonly sqs: SQSClient;
  readonly stepFunctions: SFNClient;
}

/**
 * Set where all of AWS and fifty functions share one machine: there the functions wait for each other and not for AWS.
 */
const factor = Number(process.env['AWS_TIME_LIMIT_FACTOR'] ?? 1);

/** Milliseconds until the connection is open; AWS is in the same region. */
const CONNECT = 1000 * factor;

/**
 * Milliseconds until the answer begins, and between two parts of it. AWS answers the calls of the functions in a tenth
 * of that; no function holds a call open to wait for something.
 */
const ANSWER = 3000 * factor;

/**
 * The options of every client of AWS. Without them the SDK waits for as long as a connection is open, and a dead
 * connection holds its function until the function is stopped. With them the call fails and the SDK retries: three
 * tries, four for DynamoDB. All tries take half of the time that the function of a route has.
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

/** An error is named `ThrottlingException` when it is thrown, and `ThrottlingError` as the reason of a cancelled leg. */
export function isTransient(code: string | undefined): boolean {
  return code !== undefined && TRANSIENT.includes(code.replace(/(Exception|Error)$/, ''));
}

/** Of those: AWS is asked for more than it gives, by whomever. */
export function isThrottled(code: string): boolean {
  return isTransient(code) && !code.startsWith('Transaction');
}
