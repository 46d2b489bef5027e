import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type TableName, type TableUse, tableShapes } from '#infra/stage/table-shapes.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { engine } from '#test/simulation/aws/dynamodb/engine.ts';
import { type Request, writesOf } from '#test/simulation/aws/dynamodb/request.ts';
import { createClients } from '#test/simulation/kernel/clients.ts';
import { throughDocumentClient } from '#test/simulation/kernel/document-commands.ts';

const noLag = { now: () => 0, ofIndexes: () => 0, isStale: () => false };

/** The permissions that a request needs, as the `tables` of functions declare them. */
function actionsOf(request: Request): readonly string[] {
  if (request.does === 'GET') return [`${request.input.TableName} GetItem`];
  if (request.does === 'BATCH_GET') {
    return Object.keys(request.input.RequestItems ?? {}).map((table) => `${table} BatchGetItem`);
  }
  if (request.does === 'QUERY') {
    const { TableName, IndexName } = request.input;
    return [`${TableName} Query${IndexName === undefined ? '' : `:${IndexName}`}`];
  }
  return request.writes.map(({ TableName, kind }) => `${TableName} ${kind}Item`);
}

function allows(allowed: TableUse, action: string): boolean {
  return Object.entries(allowed).some(([table, actions]) => actions.some((one) => `${table} ${one}` === action));
}

const unused = async () => {
  throw new Error('Not asked for.');
};

/**
 * The service's tables, by their names, and a client of the SDK that they answer. The answers to the first
 * `lostAnswers` writes are lost, so that the SDK repeats them.
 */
export function tablesInMemory(lostAnswers = 0) {
  const { answer: answerOf, tables } = engine(tableShapes, noLag);
  let writes = 0;
  let overtaking: { readonly name: TableName; readonly change: () => void } | undefined;
  const overtaken = (request: Request) => {
    if (!writesOf(request).some(({ TableName }) => TableName === overtaking?.name)) return;
    const { change = () => undefined } = overtaking ?? {};
    overtaking = undefined;
    change();
  };
  const clientFor = (allowed?: TableUse) =>
    createClients({
      dynamo: throughDocumentClient(async (request) => {
        const forbidden = allowed && actionsOf(request).filter((action) => !allows(allowed, action));
        if (forbidden !== undefined && forbidden.length > 0) throw new Error(`Not allowed: ${forbidden.join(', ')}.`);
        overtaken(request);
        const answer = answerOf(request);
        if (writesOf(request).length === 0) return answer;
        writes += 1;
        if (lostAnswers === 0) return answer;
        lostAnswers -= 1;
        return answerOf(request);
      }),
      apiGateway: unused,
      eventBridge: unused,
      kms: unused,
      sqs: unused,
      stepFunctions: unused,
    }).dynamo;
  return {
    dynamo: clientFor(),
    /** A client of a function with these permissions for the tables, and no others. */
    clientFor,
    /** The number of writes. */
    writes: () => writes,
    /** Makes a concurrent change to the tables, right before the next write to this one. */
    beforeNextWrite: (name: TableName, change: () => void): void => {
      overtaking = { name, change };
    },
    /** A table for the test, which reads and writes it without conditions. */
    table(name: TableName) {
      const table = tables.get(name);
      if (table === undefined) throw new Error(`There is no table ${name}.`);
      const itemOf = (key: Readonly<Record<string, unknown>>) => table.read(table.keyOf(marshall(key)), true);
      return {
        items: (): readonly Item[] => table.items().map((item) => unmarshall(item)),
        find: (key: Readonly<Record<string, unknown>>): Item | undefined => {
          const item = itemOf(key);
          return item && unmarshall(item);
        },
        /** Replaces all items by these, as a restore to an earlier time does. */
        restore: (items: readonly Item[]): void => {
          for (const item of table.items()) table.write(table.keyOf(item), undefined);
          for (const one of items) table.write(table.keyOf(marshall(one)), marshall(one));
        },
        put: (record: Readonly<Record<string, unknown>>): void => {
          const item = marshall(record, { removeUndefinedValues: true });
          table.write(table.keyOf(item), item);
        },
      };
    },
  };
}
