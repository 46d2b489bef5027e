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
