import type { TableName } from '#infra/stage/table-shapes.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';

type Counts = Readonly<Record<string, number>>;

/** What came of a round. Its numbers are added up over rounds. */
export interface Played {
  /** How many off-ramps were created, by the status that they ended in. */
  readonly offRamps: Counts;
  readonly payins: Counts;
  readonly deliveries: Counts;
  /** Requests to the tables. */
  readonly requests: number;
  /** Virtual time. */
  readonly hours: number;
  /** How often each fault happened: `dynamo: loss`. */
  readonly faults: Counts;
}

export function playedIn({ engine, requests }: AwsInMemory): Omit<Played, 'faults' | 'hours'> {
  function byStatus(table: TableName, record?: string): Counts {
    const counts: Record<string, number> = {};
    for (const { status, ...item } of engine.tables.get(table)?.items() ?? []) {
      if (record === undefined || item['record']?.S === record)
        counts[status?.S ?? ''] = (counts[status?.S ?? ''] ?? 0) + 1;
    }
    return counts;
  }
  return {
    offRamps: byStatus('operations', 'OPERATION'),
    payins: byStatus('payins', 'PAYIN'),
    deliveries: byStatus('deliveries'),
    requests: requests(),
  };
}
