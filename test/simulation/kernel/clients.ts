import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { Unsupported } from '#test/simulation/aws/dynamodb/unsupported.ts';
import type { Answer } from '#test/simulation/aws/host.ts';

/** Returns SDK clients without a network: these functions answer their commands. */
export function createClients(answers: Readonly<Record<keyof AwsClients, Answer>>): AwsClients {
  return {
    apiGateway: clientOf(APIGatewayClient.prototype, answers.apiGateway),
    dynamo: clientOf(DynamoDBDocumentClient.prototype, answers.dynamo),
    eventBridge: clientOf(EventBridgeClient.prototype, answers.eventBridge),
    kms: clientOf(KMSClient.prototype, answers.kms),
    sqs: clientOf(SQSClient.prototype, answers.sqs),
    stepFunctions: clientOf(SFNClient.prototype, answers.stepFunctions),
  };
}

/** Skips the constructor, because nothing that the SDK sets up is used. */
function clientOf<Client extends object>(prototype: Client, send: Answer): Client {
  return Object.assign(Object.create(prototype), { send });
}

async function unsupported(command: object): Promise<never> {
  throw new Unsupported(command.constructor.name);
}

/** Answers of services that must not be called. */
export const nobodyAsks = {
  apiGateway: unsupported,
  dynamo: unsupported,
  eventBridge: unsupported,
  kms: unsupported,
  sqs: unsupported,
  stepFunctions: unsupported,
};
