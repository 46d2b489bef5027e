import { randomUUID } from 'node:crypto';
import { type IdempotencyRecords, idempotencyRecordsIn } from '#shared/platform/dynamodb/idempotency-records.ts';
import { tablesInMemory } from './tables-in-memory.ts';

export function idempotencyRecordsInMemory(): IdempotencyRecords {
  return idempotencyRecordsIn(tablesInMemory().dynamo, 'idempotency', randomUUID);
}
