import type { KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mapValues } from '#shared/platform/collections.ts';
import type { Output } from '#test/simulation/aws/dynamodb/engine.ts';
import { expectKnown } from '#test/simulation/aws/dynamodb/known-parameters.ts';
import type { Request } from '#test/simulation/aws/dynamodb/request.ts';
import { Unsupported } from '#test/simulation/aws/dynamodb/unsupported.ts';
import type { Write } from '#test/simulation/aws/dynamodb/write.ts';
import type { Answer } from '#test/simulation/aws/host.ts';
import { asItem, asRecord } from './document-values.ts';

/**
 * Converts commands and answers as the document client does between the service and the client below it. As there,
 * items in errors are not converted.
 */
export function throughDocumentClient(send: (request: Request, signal?: AbortSignal) => Promise<Output>): Answer {
  return async (command, { abortSignal } = {}) => asDocuments(await send(requestOf(command), abortSignal));
}

function requestOf(command: object): Request {
  if (command instanceof GetCommand) {
    return { does: 'GET', input: { ...expectKnown('GET', command.input), Key: asItem(command.input.Key ?? {}) } };
  }
  if (command instanceof UpdateCommand) return oneWrite('Update', command.input);
  if (command instanceof QueryCommand) {
    const { ExclusiveStartKey: start, ExpressionAttributeValues: values } = command.input;
    const items = { ExclusiveStartKey: start && asItem(start), ExpressionAttributeValues: values && asItem(values) };
    return { does: 'QUERY', input: { ...expectKnown('QUERY', command.input), ...items } };
  }
  if (command instanceof PutCommand) return oneWrite('Put', command.input);
  if (command instanceof DeleteCommand) return oneWrite('Delete', command.input);
  if (command instanceof TransactWriteCommand) {
    const { TransactItems = [] } = expectKnown('TRANSACTION', command.input);
    return { does: 'TRANSACTION', writes: TransactItems.map(legOf) };
  }
  if (command instanceof BatchGetCommand) {
    const RequestItems = mapValues(expectKnown('BATCH_GET', command.input).RequestItems ?? {}, (one) => ({
      ...expectKnown('BATCH_KEYS', one),
      Keys: (one.Keys ?? []).map(asItem),
    }));
    return { does: 'BATCH_GET', input: { RequestItems } };
  }
  throw new Unsupported(command.constructor.name);
}

type Leg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

interface DocumentWrite {
  readonly Key?: Record<string, unknown> | undefined;
  readonly Item?: Record<string, unknown> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

function legOf({ Put, Update, Delete, ConditionCheck }: Leg): Write {
  if (Put !== undefined) return writeOf('Put', Put);
  if (Update !== undefined) return writeOf('Update', Update);
  if (Delete !== undefined) return writeOf('Delete', Delete);
  if (ConditionCheck !== undefined) return writeOf('ConditionCheck', ConditionCheck);
  throw new Unsupported('a leg of no kind');
}

function oneWrite(kind: Write['kind'], input: DocumentWrite): Request {
  return { does: 'WRITE', writes: [writeOf(kind, input)] };
}

function writeOf(kind: Write['kind'], input: DocumentWrite): Write {
  const { Key, Item, ExpressionAttributeValues: values } = input;
  return expectKnown('WRITE', {
    ...input,
    kind,
    Key: Key && asItem(Key),
    Item: Item && asItem(Item),
    ExpressionAttributeValues: values && asItem(values),
  });
}

function asDocuments({ Item, Attributes, Items, Count, LastEvaluatedKey, Responses, UnprocessedKeys }: Output): object {
  if (Items !== undefined) {
    return {
      $metadata: {},
      Items: Items.map(asRecord),
      Count,
      LastEvaluatedKey: LastEvaluatedKey && asRecord(LastEvaluatedKey),
    };
  }
  if (Responses === undefined) {
    return { $metadata: {}, Item: Item && asRecord(Item), Attributes: Attributes && asRecord(Attributes) };
  }
  const asKeys = (one: KeysAndAttributes) => ({ ...one, Keys: (one.Keys ?? []).map(asRecord) });
  return {
    $metadata: {},
    Responses: mapValues(Responses, (items) => items.map(asRecord)),
    UnprocessedKeys: mapValues(UnprocessedKeys ?? {}, asKeys),
  };
}
