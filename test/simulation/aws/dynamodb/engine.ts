import type { ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { OnChange } from './change.ts';
import { invalid } from './exceptions.ts';
import { batchGetItem, getItem, query } from './reads.ts';
import { is, type Request, writesOf } from './request.ts';
import { createTable, type Lag, type Table, type TableShape } from './table.ts';
import { Unsupported } from './unsupported.ts';
import { type IsWaived, writeAll, writeOne } from './writes.ts';

export interface Engine {
  readonly tables: ReadonlyMap<string, Table>;
  /**
   * Does at once what the request asks for.
   *
   * @throws the exceptions of DynamoDB; {Unsupported} for whatever is not known.
   */
  answer(request: Request): ServiceOutputTypes;
}

interface Watchers {
  readonly isWaived?: IsWaived | undefined;
  /** Is told of every item that a request changed, once all of its legs are written. */
  readonly onChange?: OnChange | undefined;
}

/** Tables in memory with the conditions, the transactions and the lag of DynamoDB. */
export function engine(
  shapes: Readonly<Record<string, TableShape>>,
  lag: Lag,
  { isWaived, onChange = () => {} }: Watchers = {},
): Engine {
  const tables = new Map(Object.entries(shapes).map(([name, shape]) => [name, createTable(shape, lag)]));
  const tableNamed = (name: string | undefined): Table => {
    const table = tables.get(name ?? '');
    if (table === undefined) throw invalid(`there is no table ${name}`);
    return table;
  };
  const deps = { isWaived, tableNamed, onChange };

  return {
    tables,
    answer(request) {
      const $metadata = {};
      if (is('GetItemCommand', request)) {
        return { $metadata, ...getItem(tableNamed(request.input.TableName), request.input) };
      }
      if (is('QueryCommand', request)) {
        return { $metadata, ...query(tableNamed(request.input.TableName), request.input) };
      }
      if (is('BatchGetItemCommand', request)) {
        return { $metadata, ...batchGetItem(tableNamed, request.input) };
      }
      const [first, ...others] = writesOf(request);
      if (first === undefined) throw new Unsupported(`${request.name}`);
      if (!is('TransactWriteItemsCommand', request)) return { $metadata, ...writeOne(deps, first) };
      writeAll(deps, [first, ...others]);
      return { $metadata };
    },
  };
}
