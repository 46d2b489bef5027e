import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  SFNClient,
  type ServiceInputTypes as SfnInput,
  type ServiceOutputTypes as SfnOutput,
} from '@aws-sdk/client-sfn';
import {
  SQSClient,
  type ServiceInputTypes as SqsInput,
  type ServiceOutputTypes as SqsOutput,
} from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import type { Output as DynamoOutput } from '#test/simulation/aws/dynamodb/engine.ts';
import type { Request as DynamoRequest } from '#test/simulation/aws/dynamodb/request.ts';
import { throughDocumentClient } from './document-commands.ts';

type Answers<Input, Output> = (request: {
  readonly name: string | undefined;
  readonly input: Input;
}) => Promise<Output>;

/** What stands for AWS. */
export interface Aws {
  readonly dynamo: (request: DynamoRequest) => Promise<DynamoOutput>;
  readonly stepFunctions: Answers<SfnInput, SfnOutput>;
  readonly sqs: Answers<SqsInput, SqsOutput>;
}

export interface AwsClients {
  readonly dynamo: DynamoDBDocumentClient;
  readonly stepFunctions: SFNClient;
  readonly sqs: SQSClient;
  /** From now on requests are answered by this. */
  use(aws: Aws): void;
}

/** What the SDK does with a command is worked out once for all commands of its kind. */
const config = {
  region: 'in-memory-1',
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  cacheMiddleware: true,
};
const first = { step: 'initialize', priority: 'high', name: 'inMemory' } as const;

/** Clients of the SDK whose requests leave no process. Made once and not for every round, which costs less than they do. */
export function awsClients(): AwsClients {
  let aws: Aws | undefined;
  const standIn = (): Aws => {
    if (aws === undefined) throw new Error('Nothing stands for AWS yet.');
    return aws;
  };
  const [stepFunctions, sqs] = [new SFNClient(config), new SQSClient(config)];
  // The document client works out anew what it does with each command, which would cost more than all else.
  const dynamo = Object.assign(documentClient(new DynamoDBClient({ region: config.region })), {
    send: throughDocumentClient((request) => standIn().dynamo(request)),
  });
  stepFunctions.middlewareStack.add(
    (_, { commandName: name }) =>
      async ({ input }) => ({ response: {}, output: await standIn().stepFunctions({ name, input }) }),
    first,
  );
  sqs.middlewareStack.add(
    (_, { commandName: name }) =>
      async ({ input }) => ({ response: {}, output: await standIn().sqs({ name, input }) }),
    first,
  );
  return {
    dynamo,
    stepFunctions,
    sqs,
    use: (next) => {
      aws = next;
    },
  };
}
