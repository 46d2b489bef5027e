import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { KMSClient } from '@aws-sdk/client-kms';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';

/** The clients of AWS that a handler is wired with; each takes, and bundles, only those that it uses. */
export interface AwsClients {
  readonly dynamo: DynamoDBClient;
  readonly eventBridge: EventBridgeClient;
  readonly kms: KMSClient;
  readonly sqs: SQSClient;
  readonly stepFunctions: SFNClient;
}
