import type { Verification } from '#shared/off-ramps/operation.ts';
import { parseVerification } from '#shared/off-ramps/operation-store.ts';
import { createVerificationStore } from '#shared/off-ramps/verification-store.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { shardOf } from '#shared/platform/dynamodb/shards.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** The current verification of an operation, in its table in memory. */
export function verificationInMemory(given: Verification) {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const table = tableNamed('operations');
  const { operationId } = given;
  const key = { operationId, record: 'VERIFICATION' };
  table.put({ ...given, ...key, dueShard: shardOf('LOOK', operationId) });
  return {
    ...createVerificationStore(dynamo, 'operations', systemClock),
    current: (): Verification => {
      const item = table.find(key);
      if (item === undefined) throw new Error('Verifications are not deleted.');
      return parseVerification(item);
    },
  };
}
