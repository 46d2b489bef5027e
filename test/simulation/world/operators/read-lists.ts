import type { Outside } from '#test/simulation/world/outside.ts';
import type { Console, Row } from './console.ts';

/** The lists of money that waits for somebody, and what their rows are about. */
const lists = {
  waiting: 'operationId',
  unmatched: 'custodianTransferId',
  mismatched: 'payinId',
  owed: 'custodianTransferId',
  returns: 'custodianTransferId',
  unpaid: 'operationId',
  contradictions: 'operationId',
} as const;

/** Finance reads all that waits for it. */
export async function readLists({ host, memory }: Outside, operator: Console): Promise<void> {
  for (const [name, id] of Object.entries(lists)) {
    const rows = await operator.list(name);
    if (rows === undefined) continue;
    const ids = rows.map((row: Row) => String(row[id]));
    memory.lists.push({ at: host.schedule.clock.now().getTime(), name, ids });
  }
}
