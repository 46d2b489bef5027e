import { randomUUID } from 'node:crypto';
import { createIdempotencyRecords, type IdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { tablesInMemory } from './tables-in-memory.ts';

export function idempotencyRecordsInMemory(): IdempotencyRecords {
  return createIdempotencyRecords(tablesInMemory().dynamo, 'idempotency', randomUUID);
}
