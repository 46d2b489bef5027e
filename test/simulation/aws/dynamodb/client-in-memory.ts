import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { engine } from './engine.ts';
import { requestOf } from './request.ts';
import type { TableShape } from './table.ts';

/** Returns a client for tables in memory without any lag. */
export function clientInMemory(shapes: Readonly<Record<string, TableShape>>): DynamoDBClient {
  const { answer } = engine(shapes, { now: () => 0, ofIndexes: () => 0, isStale: () => false });
  return Object.assign(new DynamoDBClient({ region: 'in-memory-1' }), {
    send: async (command: object) => answer(requestOf(command)),
  });
}
