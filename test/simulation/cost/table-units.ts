import { type Item, isSameItem, pickAttributes } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Engine, Output } from '#test/simulation/aws/dynamodb/engine.ts';
import { sizeOf } from '#test/simulation/aws/dynamodb/item-size.ts';
import type { Request } from '#test/simulation/aws/dynamodb/request.ts';
import type { Table } from '#test/simulation/aws/dynamodb/table.ts';
import type { Write } from '#test/simulation/aws/dynamodb/write.ts';

/** Bytes per unit. */
const WRITTEN = 1024;
const READ = 4096;

type TableUnit = 'write' | 'index' | 'read';
export type CountUnits = (unit: TableUnit, name: string, units: number) => void;

/** Counts a request's units as DynamoDB does on demand, also if a condition refuses it. */
export function countedAnswer(engine: Engine, count: CountUnits): Engine['answer'] {
  return (request, isTorn) => {
    if (!('writes' in request)) {
      const output = engine.answer(request, isTorn);
      countReads(engine, request, output, count);
      return output;
    }
    const legs = request.writes.map((write) => legOf(engine, write));
    try {
      return engine.answer(request, isTorn);
    } finally {
      const times = request.does === 'TRANSACTION' ? 2 : 1;
      for (const { table, key, before } of legs) countWrite(table, before, table.read(key, true), times, count);
    }
  };
}

function legOf({ tables }: Engine, { kind, TableName = '', Item = {}, Key = {} }: Write) {
  const table = tables.get(TableName);
  if (table === undefined) throw new Error(`There is no table ${TableName}.`);
  const key = kind === 'Put' ? table.keyOf(Item) : table.wholeKey(Key);
  return { table, key, before: table.read(key, true) };
}

/** An index takes its own units, once per entry even in a transaction. */
function countWrite(
  { name, shape, keyNames }: Table,
  before: Item | undefined,
  after: Item | undefined,
  times: number,
  count: CountUnits,
): void {
  count('write', name, times * unitsOf(Math.max(bytesOf(before), bytesOf(after)), WRITTEN));
  if (before === after) return;
  for (const [index, keys] of Object.entries(shape.indexes ?? {})) {
    const held = [...new Set([...keys, ...keyNames, ...(shape.alsoIn?.[index] ?? [])])];
    const entryOf = (item: Item | undefined) =>
      item !== undefined && keys.every((key) => key in item) ? pickAttributes(item, held) : undefined;
    const units = unitsOfIndex(keys, entryOf(before), entryOf(after));
    if (units > 0) count('index', `${name}.${index}`, units);
  }
}

/** An entry whose key changes is deleted and put again. */
function unitsOfIndex(keys: readonly string[], before: Item | undefined, after: Item | undefined): number {
  if (before === undefined || after === undefined) {
    const entry = before ?? after;
    return entry === undefined ? 0 : unitsOf(sizeOf(entry), WRITTEN);
  }
  if (isSameItem(before, after)) return 0;
  const isMoved = keys.some((key) => before[key]?.S !== after[key]?.S);
  if (!isMoved) return unitsOf(Math.max(sizeOf(before), sizeOf(after)), WRITTEN);
  return unitsOf(sizeOf(before), WRITTEN) + unitsOf(sizeOf(after), WRITTEN);
}

function countReads(
  { tables }: Engine,
  request: Exclude<Request, { does: 'WRITE' | 'TRANSACTION' }>,
  output: Output,
  count: CountUnits,
): void {
  const read = (name: string, bytes: number, isConsistent = false) =>
    count('read', name, unitsOf(bytes, READ) * (isConsistent ? 1 : 0.5));
  switch (request.does) {
    case 'GET':
      read(request.input.TableName ?? '', bytesOf(output.Item), request.input.ConsistentRead);
      break;
    case 'QUERY': {
      const { Items = [], ScannedCount = 0 } = output;
      const mean = Items.length === 0 ? WRITTEN : bytesOfAll(Items) / Items.length;
      read(request.input.TableName ?? '', mean * ScannedCount, request.input.ConsistentRead);
      break;
    }
    case 'BATCH_GET':
      for (const [name, { Keys = [], ConsistentRead }] of Object.entries(request.input.RequestItems ?? {})) {
        const table = tables.get(name);
        for (const key of Keys) read(name, bytesOf(table?.read(table.wholeKey(key), true)), ConsistentRead);
      }
  }
}

function bytesOf(item: Item | undefined): number {
  return item === undefined ? 0 : sizeOf(item);
}

export function bytesOfAll(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

/** A read that finds nothing costs one unit. */
function unitsOf(bytes: number, size: number): number {
  return Math.max(1, Math.ceil(bytes / size));
}
