import { type TableName, tableShapes } from '#infra/stage/table-shapes.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Request } from '#test/simulation/aws/dynamodb/request.ts';
import { text } from './items.ts';

/** Counts the requests to the tables for each off-ramp, pay-in, deposit and so on. */
export function createRequestCounts() {
  const tables = new Map<string, { readonly partition: string; readonly counts: Map<string, number> }>(
    Object.entries(tableShapes).map(([name, { key }]) => [name, { partition: key[0], counts: new Map() }]),
  );

  function add(table: string | undefined, key: Item | undefined, name?: string): void {
    const of = tables.get(table ?? '');
    const id = text(key, name ?? of?.partition ?? '');
    of?.counts.set(id, (of.counts.get(id) ?? 0) + 1);
  }

  return {
    /** Each leg of a transaction counts. Queries of indexes concern no particular item, and do not count. */
    count(request: Request): void {
      switch (request.does) {
        case 'GET':
          add(request.input.TableName, request.input.Key);
          break;
        case 'QUERY':
          add(request.input.TableName, request.input.ExpressionAttributeValues, ':id');
          break;
        case 'BATCH_GET':
          for (const [table, { Keys = [] }] of Object.entries(request.input.RequestItems ?? {})) {
            for (const key of Keys) add(table, key);
          }
          break;
        default:
          for (const { TableName, Key, Item } of request.writes) add(TableName, Key ?? Item);
      }
    },

    /** Returns the number of requests that read or wrote a partition, or tried to. */
    of: (table: TableName, partition: string): number => tables.get(table)?.counts.get(partition) ?? 0,
  };
}

export type RequestCounts = ReturnType<typeof createRequestCounts>;
