import type { TableName } from '#infra/stage/table-shapes.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import { depositStatusOf, text } from '#test/simulation/books/items.ts';
import type { TrueSending } from '#test/simulation/books/truth.ts';

type Counts = Readonly<Record<string, number>>;

/** The results of a round. Its numbers are added up over rounds. */
export interface Played {
  /** The number of off-ramps, by their last status. */
  readonly offRamps: Counts;
  readonly payins: Counts;
  readonly deliveries: Counts;
  /** By the status that clients see, or by the outcome that finance settled. */
  readonly deposits: Counts;
  /** Money that left the stage's accounts, or was ordered to, by its last state. */
  readonly sendings: Counts;
  /** Requests to the tables. */
  readonly requests: number;
  /** Virtual time. */
  readonly hours: number;
  /** How often each fault happened: `dynamo: loss`. */
  readonly faults: Counts;
  /** Counts of the restore's steps, if there was a restore. */
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
