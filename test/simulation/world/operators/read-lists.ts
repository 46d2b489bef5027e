import type { Outside } from '#test/simulation/world/outside.ts';
import type { Console, Row } from './console.ts';
import { resolveContradiction } from './operate.ts';

/** The lists of money that waits for a person, and the id in their rows. */
const lists = {
  waiting: 'operationId',
  unmatched: 'custodianTransferId',
  mismatched: 'payinId',
  owed: 'custodianTransferId',
  returns: 'custodianTransferId',
  unpaid: 'operationId',
  contradictions: 'operationId',
} as const;

/** Finance reads its lists, and resolves contradictions that block a return, which would otherwise retry forever. */
export async function readLists(outside: Outside, operator: Console): Promise<void> {
  const { host, memory } = outside;
  const read = new Map<string, readonly Row[]>();
  for (const [name, id] of Object.entries(lists)) {
    const rows = await operator.list(name);
    if (rows === undefined) continue;
    const ids = rows.map((row) => String(row[id]));
    memory.lists.push({ at: host.schedule.clock.now().getTime(), name, ids });
    read.set(name, rows);
  }
  const asked = new Set(read.get('returns')?.map((row) => row['operationId']));
  for (const row of read.get('contradictions') ?? [])
    if (asked.has(row['operationId'])) await resolveContradiction(outside, operator, row);
}
