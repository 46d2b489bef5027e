import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { checkAliases, contextOf } from './aliases.ts';
import { type Item, pickAttributes } from './attribute-values.ts';
import { type Condition, parseCondition } from './condition-expression.ts';
import { invalid } from './exceptions.ts';
import { createAllowance, LARGEST_PAGE } from './item-size.ts';
import { boundsIn, parseKeyCondition, type Range, rangeOf } from './key-condition.ts';
import { comparePlaces, firstThat, type Place } from './sorted.ts';
import type { Entry, Source } from './source.ts';
import type { Table } from './table.ts';

interface Page {
  readonly Items: Item[];
  readonly Count: number;
  readonly ScannedCount: number;
  readonly LastEvaluatedKey?: Item;
}

/** Returns the matching items in order, up to the limit and the size of a page. */
export function query(table: Table, input: QueryCommandInput, isPageFull = () => false): Page {
  const { IndexName, ConsistentRead = false, Limit = Number.POSITIVE_INFINITY } = input;
  if (IndexName !== undefined && ConsistentRead) throw invalid('Consistent reads are not supported on an index');
  if (Limit < 1) throw invalid('Limit has to be 1 at least');
  const source = table.source(IndexName);
  const condition = parseKeyCondition(input.KeyConditionExpression ?? '');
  const filter = input.FilterExpression === undefined ? undefined : parseCondition(input.FilterExpression);
  checkAliases(input, condition.aliases, filter?.aliases);
  const context = contextOf(input, undefined);
  const entries = entriesFrom(table, source, rangeOf(condition, source, context), input);
  const mayGoOn = IndexName !== undefined;
  const isEnd = (items: readonly Item[]) => items.length >= Limit || (mayGoOn && isPageFull());
  const { items, last } = pageOf(entries, isEnd, (entry) => source.read(entry, ConsistentRead));
  const isOfKey = (name: string | undefined) => name === source.partitionName || name === source.sortName;
  const Items = filter === undefined ? items : items.filter((item) => filter.holds({ ...context, item }));
  if (namesIn(filter, input).some(isOfKey))
    throw invalid('Filter Expression can only contain non-primary key attributes');
  return {
    Items,
    Count: Items.length,
    ScannedCount: items.length,
    ...(last !== undefined && { LastEvaluatedKey: pickAttributes(last, source.keys) }),
  };
}

function namesIn(filter: Condition | undefined, { ExpressionAttributeNames = {} }: QueryCommandInput) {
  return [...(filter?.names ?? [])].map((name) => ExpressionAttributeNames[name] ?? name);
}

/** `last` is set if the page ended early or reached the limit, without checking whether more entries follow. */
function pageOf(
  entries: readonly Entry[],
  isEnd: (items: readonly Item[]) => boolean,
  read: (entry: Entry) => Item | undefined,
) {
  const items: Item[] = [];
  const { takes } = createAllowance(LARGEST_PAGE);
  for (const entry of entries) {
    const item = read(entry);
    if (item === undefined) continue;
    if (!takes(item)) return { items, last: items.at(-1) };
    items.push(item);
    if (isEnd(items)) return { items, last: item };
  }
  return { items, last: undefined };
}

/** Returns the entries of the range, after the start key if there is one, in the wanted order. */
function entriesFrom(table: Table, source: Source, range: Range, input: QueryCommandInput): readonly Entry[] {
  const { ExclusiveStartKey: start, ScanIndexForward = true } = input;
  const entries = source.partition(range.partition);
  let [from, to] = boundsIn(entries, range);
  if (start !== undefined) {
    const place = placeOf(table, source, range, start);
    if (ScanIndexForward) from = firstThat(entries, (entry) => comparePlaces(entry, place) > 0);
    else to = firstThat(entries, (entry) => comparePlaces(entry, place) >= 0);
  }
  const wanted = entries.slice(from, to);
  return ScanIndexForward ? wanted : wanted.reverse();
}

/** @throws ValidationException for a start key that this query cannot have returned */
function placeOf(table: Table, source: Source, range: Range, start: Item): Place {
  const isWhole = source.keys.every((name) => start[name] !== undefined);
  if (!isWhole || Object.keys(start).length > source.keys.length) throw invalid('The provided starting key is invalid');
  if (table.misfitOfIndexes(start) !== undefined) throw invalid('The provided starting key is invalid');
  const place = { key: table.keyOf(start), sort: start[source.sortName ?? '']?.S ?? '' };
  const [from, to] = boundsIn([place], range);
  if (start[source.partitionName]?.S !== range.partition || from === to) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  return place;
}
