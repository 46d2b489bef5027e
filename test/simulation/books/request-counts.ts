import type { TableName } from '#infra/platform/table-shapes.ts';
import { tableShapes } from '#infra/platform/table-shapes.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Request } from '#test/simulation/aws/dynamodb/request.ts';
import { text } from './items.ts';

/** How often the tables were asked for what belongs together: an off-ramp, a deposit, a delivery. */
export function createRequestCounts() {
  const counts = new Map<string, number>();
  return {
    count(request: Request): void {
      for (const subject of subjectsOf(request)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    },
    /** Requests that read or wrote items of a table's partition, or tried to. */
    of: (table: TableName, partition: string): number => counts.get(`${table} ${partition}`) ?? 0,
  };
}

export type RequestCounts = ReturnType<typeof createRequestCounts>;

/** A transaction counts once for everything that it is about. Queries of indexes are about nothing in particular. */
function subjectsOf(request: Request): ReadonlySet<string> {
  switch (request.does) {
    case 'GET':
      return new Set([subjectOf(request.input.TableName, request.input.Key)]);
    case 'WRITE':
    case 'TRANSACTION':
      return new Set(request.writes.map(({ TableName, Key, Item }) => subjectOf(TableName, Key ?? Item)));
    case 'BATCH_GET':
      return new Set(
        Object.entries(request.input.RequestItems ?? {}).flatMap(([table, { Keys = [] }]) =>
          Keys.map((key) => subjectOf(table, key)),
        ),
      );
    case 'QUERY': {
      const { TableName, IndexName, ExpressionAttributeValues = {} } = request.input;
      return new Set(IndexName === undefined ? [`${TableName} ${text(ExpressionAttributeValues, ':id')}`] : []);
    }
  }
}

function subjectOf(table: string | undefined, key: Item | undefined): string {
  const [partition] = shapes.get(table ?? '')?.key ?? [''];
  return `${table} ${text(key, partition)}`;
}

const shapes = new Map<string, { readonly key: readonly [string, string?] }>(Object.entries(tableShapes));
