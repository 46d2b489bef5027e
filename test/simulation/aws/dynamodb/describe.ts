import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './attribute-values.ts';
import type { Output } from './engine.ts';
import type { Request } from './request.ts';
import type { Write } from './write.ts';

/** Describes a request in one line of a round's history. */
export function describeRequest(request: Request): string {
  switch (request.does) {
    case 'GET':
      return `get ${request.input.TableName} ${textOf(request.input.Key)}`;
    case 'QUERY': {
      const { TableName, IndexName = '', ExpressionAttributeValues } = request.input;
      return `query ${TableName} ${IndexName} ${textOf(ExpressionAttributeValues)}`;
    }
    case 'BATCH_GET':
      return 'BatchGetItemCommand';
    case 'WRITE':
    case 'TRANSACTION':
      return request.writes.map(describeWrite).join(' · ');
  }
}

/** Describes the result of a query. */
export function describeOutput({ Items }: Output): string {
  return Items === undefined ? '' : ` → ${Items.length}`;
}

/** Describes a refusal, leg by leg. */
export function describeRefusal(error: unknown): string {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).map(({ Code }) => (Code === 'None' ? '-' : Code)).join(' · ');
  }
  return error instanceof Error ? error.name : String(error);
}

function describeWrite({ kind, TableName, Key, Item, ExpressionAttributeValues }: Write): string {
  const values = ExpressionAttributeValues === undefined ? '' : ` ${textOf(ExpressionAttributeValues)}`;
  return `${kind} ${TableName} ${textOf(Key ?? Item)}${values}`;
}

function textOf(item: Item | undefined): string {
  return item === undefined ? '' : JSON.stringify(unmarshall(item));
}
