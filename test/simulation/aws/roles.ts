import { strictConditions } from '#infra/platform/strict-conditions.ts';
import { tableShapes } from '#infra/stage/table-shapes.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import type { FunctionShape } from '#test/simulation/topology/topology.ts';
import { nameIn } from '#test/simulation/topology/values.ts';

interface Write {
  readonly TableName?: string;
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly UpdateExpression?: string;
}

/** The parts of a command's input that name its resources. */
interface Command {
  readonly constructor: { readonly name: string };
  readonly input: Write & {
    readonly IndexName?: string;
    readonly RequestItems?: Readonly<Record<string, unknown>>;
    readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
    readonly QueueUrl?: string;
    readonly Entries?: readonly { readonly EventBusName?: string }[];
    readonly stateMachineArn?: string;
    readonly KeyId?: string;
  };
}

/** IAM actions, by command or by leg of a transaction. */
const actions: Readonly<Record<string, string>> = {
  GetCommand: 'dynamodb:GetItem',
  PutCommand: 'dynamodb:PutItem',
  Put: 'dynamodb:PutItem',
  UpdateCommand: 'dynamodb:UpdateItem',
  Update: 'dynamodb:UpdateItem',
  DeleteCommand: 'dynamodb:DeleteItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  QueryCommand: 'dynamodb:Query',
  BatchGetCommand: 'dynamodb:BatchGetItem',
  SendMessageCommand: 'sqs:SendMessage',
  StartExecutionCommand: 'states:StartExecution',
  PutEventsCommand: 'events:PutEvents',
  SignCommand: 'kms:Sign',
  EncryptCommand: 'kms:Encrypt',
  DecryptCommand: 'kms:Decrypt',
};

/** Returns the permissions that AWS requires for a command. */
function neededFor({ constructor: { name }, input }: Command): readonly string[] {
  const { TableName, IndexName, RequestItems, TransactItems, QueueUrl, Entries, stateMachineArn, KeyId } = input;
  const legs = TransactItems?.flatMap((leg) => Object.entries(leg));
  if (legs !== undefined) return legs.map(([kind, on]) => `${actions[kind]} ${on.TableName}`);
  const table = IndexName === undefined ? TableName : `${TableName}/index/${IndexName}`;
  const on = Object.keys(RequestItems ?? {}).concat(Entries?.map(({ EventBusName = '' }) => EventBusName) ?? []);
  const one = nameIn(QueueUrl ?? stateMachineArn ?? KeyId ?? '');
  return (on.length > 0 ? on : [table ?? one]).map((resource) => `${actions[name]} ${resource}`);
}

/** Returns the conditions of a stage (docs/on-aws.md) that these writes of a function would not meet. */
function unmetBy(folder: string, { constructor: { name }, input }: Command): readonly string[] {
  const writes = input.TransactItems?.flatMap((leg) => Object.entries(leg)) ?? [[name, input] as const];
  return Object.entries(strictConditions).flatMap(([condition, { table, action, without, ...one }]) => {
    const isLimited = (one.folder ?? folder) === folder;
    const unmet = writes.filter(([kind, { TableName, Key, Item, UpdateExpression }]) => {
      if (!isLimited || TableName !== table || actions[kind] !== `dynamodb:${action}`) return false;
      const key = String((Key ?? Item)?.[tableShapes[table].key[0]]);
      const text = `${Object.keys(Item ?? {}).join(' ')} ${UpdateExpression}`;
      const isLike = one.keysLike?.some((pattern) => key.startsWith(pattern.replace('*', '')));
      return isLike === false || without?.some((attribute) => text.includes(attribute));
    });
    return unmet.length === 0 ? [] : [condition];
  });
}

/** Returns the function's clients. A command that its role does not allow, which AWS would refuse, ends the round. */
export function allowedBy(
  { folder, allowed }: Pick<FunctionShape, 'folder' | 'allowed'>,
  { apiGateway, dynamo, eventBridge, kms, sqs, stepFunctions }: AwsClients,
  fail: (error: unknown) => void,
): AwsClients {
  const guarded = <Client extends object>(client: Client & { send: (...given: never[]) => unknown }): Client => {
    const send = (command: Command, ...others: unknown[]) => {
      const refused = neededFor(command).find((need) => !allowed.includes(need));
      if (refused !== undefined) fail(new Error(`The role of ${folder} does not allow ${refused}.`));
      const unmet = unmetBy(folder, command);
      if (unmet.length > 0) fail(new Error(`A write of ${folder} does not meet ${unmet.join(', ')}.`));
      return client.send(...([command, ...others] as never[]));
    };
    return Object.assign(Object.create(client), { send });
  };
  return {
    apiGateway,
    dynamo: guarded(dynamo),
    eventBridge: guarded(eventBridge),
    kms: guarded(kms),
    sqs: guarded(sqs),
    stepFunctions: guarded(stepFunctions),
  };
}
