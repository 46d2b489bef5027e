import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  GetItemCommandInput,
  QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { allHold, parseCondition } from './condition-expression.ts';
import { invalid } from './exceptions.ts';
import { only, type Table } from './table.ts';
import { checkAliases, contextOf } from './writes.ts';

export function getItem(table: Table, { Key = {}, ConsistentRead }: GetItemCommandInput): { Item?: Item } {
  const item = table.read(table.keyOf(Key), ConsistentRead === true);
  return item === undefined ? {} : { Item: item };
}

/** All that fits, in order, as far as the limit allows. */
export function query(
  table: Table,
  input: QueryCommandInput,
): { Items: Item[]; Count: number; LastEvaluatedKey?: Item } {
  if (input.IndexName !== undefined && input.ConsistentRead) throw invalid('an index is not read consistently');
  const condition = parseCondition(input.KeyConditionExpression ?? '');
  checkAliases(contextOf(input, undefined), [condition.aliases]);
  const fits = (item: Item) => allHold(condition.conjuncts, contextOf(input, item));
  const { keys, items, order } = table.entries(input.IndexName, fits);
  const [ordered, sign] = input.ScanIndexForward === false ? [items.toReversed(), -1] : [items, 1];
  const start = input.ExclusiveStartKey;
  const left = start === undefined ? ordered : ordered.filter((item) => sign * order(item, start) > 0);
  const page = left.slice(0, input.Limit);
  const last = page.length === input.Limit ? page.at(-1) : undefined;
  return {
    Items: page,
    Count: page.length,
    ...(last !== undefined && { LastEvaluatedKey: only(last, keys) }),
  };
}

export function batchGetItem(
  tableNamed: (name: string) => Table,
  { RequestItems = {} }: BatchGetItemCommandInput,
): Pick<BatchGetItemCommandOutput, 'Responses' | 'UnprocessedKeys'> {
  const responses = Object.entries(RequestItems).map(([name, { Keys = [], ConsistentRead }]) => {
    const table = tableNamed(name);
    const keys = Keys.map((key) => table.keyOf(key));
    if (new Set(keys).size < keys.length) throw invalid('one key twice');
    const items = keys.map((key) => table.read(key, ConsistentRead === true));
    return [name, items.filter((item) => item !== undefined)] as const;
  });
  return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
}
