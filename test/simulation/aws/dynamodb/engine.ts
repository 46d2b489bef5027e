import type { KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-values.ts';
import type { OnChanges } from './change.ts';
import { invalid } from './exceptions.ts';
import { createExpiries } from './expiries.ts';
import type { Lag } from './lag.ts';
import { query } from './query.ts';
import { batchGetItem, getItem } from './reads.ts';
import type { Request } from './request.ts';
import { createTable, type Table, type TableShape } from './table.ts';
import { createDeleteExpired, writeAll, writeOne } from './writes.ts';

/** The output of a request. */
export interface Output {
  readonly Item?: Item;
  readonly Attributes?: Item;
  readonly Items?: Item[];
  readonly Count?: number;
  readonly ScannedCount?: number;
  readonly LastEvaluatedKey?: Item;
  readonly Responses?: Record<string, Item[]>;
  readonly UnprocessedKeys?: Record<string, KeysAndAttributes>;
  /** Each call makes one leg of a torn transaction visible to readers. */
  readonly unseen?: readonly (() => void)[];
}

export interface Engine {
  readonly tables: ReadonlyMap<string, Table>;
  /**
   * Runs a request at once. The legs of a torn transaction stay invisible until `unseen` is called for each; until then
   * other writes of its items are refused.
   *
   * @throws the exceptions of DynamoDB; {Unsupported} for anything that is not implemented
   */
  answer(request: Request, isTorn?: boolean): Output;
}

interface Watchers {
  /** Called with a request's changes, once all of them are written. */
  readonly onChanges?: OnChanges | undefined;
}

/** Tables in memory with DynamoDB's conditions, transactions and lag. */
export function engine(shapes: Readonly<Record<string, TableShape>>, lag: Lag, { onChanges }: Watchers = {}): Engine {
  const expiries = createExpiries(lag);
  const tables = new Map(
    Object.entries(shapes).map(([name, shape]) => [name, createTable(name, shape, lag, expiries)]),
  );
  const tableNamed = (name: string | undefined): Table => {
    const table = tables.get(name ?? '');
    if (table === undefined) throw invalid(`there is no table ${name}`);
    return table;
  };
  const deps = { tableNamed, onChanges };
  const deleteExpired = createDeleteExpired(deps, expiries);

  return {
    tables,
    answer(request, isTorn = false) {
      deleteExpired();
      switch (request.does) {
        case 'GET':
          return getItem(tableNamed(request.input.TableName), request.input);
        case 'QUERY':
          return query(tableNamed(request.input.TableName), request.input, lag.isPageFull);
        case 'BATCH_GET':
          return batchGetItem(tableNamed, request.input);
        case 'WRITE':
          return writeOne(deps, request.writes[0]);
        case 'TRANSACTION':
          return writeAll(deps, request.writes, isTorn);
      }
    },
  };
}
