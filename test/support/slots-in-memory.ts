import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { tablesInMemory } from './tables-in-memory.ts';

const slotItem = z.object({ slot: z.string(), leaseUntil: z.string() });

/** The table of slots in memory. In shares of at most four slots, all slots are tried, whatever the random choice. */
export function slotsInMemory(clock: Clock) {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const table = tableNamed('slots');
  return {
    ...createSlots(dynamo, 'slots', clock),
    /** The number of slots with matching names that are held now. */
    held: (name = /./) =>
      table
        .items()
        .map((item) => slotItem.parse(item))
        .filter(({ slot, leaseUntil }) => name.test(slot) && leaseUntil > clock.now().toISOString()).length,
  };
}
