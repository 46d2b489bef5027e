import { DynamoDBClient, type ServiceInputTypes, type ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
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

type Answers<Input, Output> = (request: {
  readonly name: string | undefined;
  readonly input: Input;
}) => Promise<Output>;

/** What stands for AWS. */
export interface Aws {
  readonly dynamo: Answers<ServiceInputTypes, ServiceOutputTypes>;
  readonly stepFunctions: Answers<SfnInput, SfnOutput>;
  readonly sqs: Answers<SqsInput, SqsOutput>;
}

export interface AwsClients {
  readonly dynamo: DynamoDBClient;
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
  const [dynamo, stepFunctions, sqs] = [new DynamoDBClient(config), new SFNClient(config), new SQSClient(config)];
  dynamo.middlewareStack.add(
    (_, { commandName: name }) =>
      async ({ input }) => ({ response: {}, output: await standIn().dynamo({ name, input }) }),
    first,
  );
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
