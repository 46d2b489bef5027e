import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { is, type Request, writesOf } from './request.ts';
import type { Write } from './writes.ts';

const LONGEST = 240;

/** A request in one line, for whoever reads the history of a round. */
export function describeRequest(request: Request): string {
  const writes = writesOf(request);
  if (writes.length > 0) return writes.map(describeWrite).join(' · ');
  if (is('GetItemCommand', request)) return `get ${request.input.TableName} ${textOf(request.input.Key)}`;
  if (!is('QueryCommand', request)) return `${request.name}`;
  const { TableName, IndexName = '', ExpressionAttributeValues } = request.input;
  return `query ${TableName} ${IndexName} ${textOf(ExpressionAttributeValues)}`;
}

/** Why it was refused, leg by leg. */
export function describeRefusal(error: unknown): string {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).map(({ Code }) => (Code === 'None' ? '-' : Code)).join(' · ');
  }
  return error instanceof Error ? error.name : String(error);
}

function describeWrite({ kind, TableName, Key, Item, ExpressionAttributeValues }: Write): string {
  const values = ExpressionAttributeValues === undefined ? '' : ` ${textOf(ExpressionAttributeValues)}`;
  return `${kind} ${TableName} ${textOf(Key ?? Item)}${values}`.slice(0, LONGEST);
}

function textOf(item: Item | undefined): string {
  return item === undefined ? '' : JSON.stringify(unmarshall(item));
}
