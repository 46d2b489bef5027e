import type { TableName } from '#infra/stage/table-shapes.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import { depositStatusOf, text } from '#test/simulation/books/items.ts';
import type { TrueSending } from '#test/simulation/books/truth.ts';

type Counts = Readonly<Record<string, number>>;

/** What came of a round. Its numbers are added up over rounds. */
export interface Played {
  /** How many off-ramps were created, by the status that they ended in. */
  readonly offRamps: Counts;
  readonly payins: Counts;
  readonly deliveries: Counts;
  /** By the status that clients know, or as what finance has ended them. */
  readonly deposits: Counts;
  /** What left accounts of the stage, or was ordered to, by what became of it. */
  readonly sendings: Counts;
  /** Requests to the tables. */
  readonly requests: number;
  /** Virtual time. */
  readonly hours: number;
  /** How often each fault happened: `dynamo: loss`. */
  readonly faults: Counts;
  /** What was done about a restore of tables, if there was one. */
  readonly restores: Counts;
}

export function playedIn({
  engine,
  requests,
}: AwsInMemory): Omit<Played, 'faults' | 'hours' | 'sendings' | 'restores'> {
  const items = (table: TableName) => engine.tables.get(table)?.items() ?? [];
  const byStatus = (table: TableName, record?: string): Counts =>
    counted(
      items(table)
        .filter((item) => record === undefined || text(item, 'record') === record)
        .map((item) => text(item, 'status')),
    );
  const deposits = items('deposits').filter((one) => depositStatusOf(one) !== '');
  return {
    offRamps: byStatus('operations', 'OPERATION'),
    payins: byStatus('payins', 'PAYIN'),
    deliveries: byStatus('deliveries'),
    deposits: counted(deposits.map((one) => text(one['settled']?.M, 'outcome') || depositStatusOf(one))),
    requests: requests(),
  };
}

export function sendingsIn(all: readonly TrueSending[]): Counts {
  return counted(all.map(({ externalId, phases }) => `${phases.at(-1)?.state}${externalId ? '' : ' by hand'}`));
}

function counted(names: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
