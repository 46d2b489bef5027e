import type { TableName } from '#infra/stage/table-shapes.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Truth } from '#test/simulation/books/truth.ts';

/** What came of a round. Its numbers are added up over rounds. */
export interface Played {
  /** How many off-ramps were created, by the status that they ended in. */
  readonly offRamps: Readonly<Record<string, number>>;
  readonly payins: Readonly<Record<string, number>>;
  /** By the status that they ended in. */
  readonly deliveries: Readonly<Record<string, number>>;
  /** Final transfers to our addresses of which nobody told the service, and which are on no record. */
  readonly unseen: number;
  /** Requests to the tables. */
  readonly requests: number;
  readonly transitions: number;
  /** Virtual time. */
  readonly hours: number;
  /** How often each fault happened: `dynamo: loss`. */
  readonly faults: Readonly<Record<string, number>>;
  /** Seconds from the moment a deposit was final to the credit of its operation, each. */
  readonly creditDelays: readonly number[];
  /** Seconds from what happened to the first call of a webhook about it, each. */
  readonly deliveryDelays: readonly number[];
}

export function playedIn(
  { engine, executions, requests }: AwsInMemory,
  truth: Truth,
): Omit<Played, 'faults' | 'hours' | 'unseen'> {
  const items = (table: TableName, record?: string) =>
    (engine.tables.get(table)?.items() ?? []).filter((item) => record === undefined || item['record']?.S === record);
  const operations = items('operations', 'OPERATION');
  return {
    offRamps: byStatus(operations),
    payins: byStatus(items('payins', 'PAYIN')),
    deliveries: byStatus(items('deliveries')),
    requests: requests(),
    transitions: [...executions.all.values()].reduce((sum, { transitions }) => sum + transitions, 0),
    creditDelays: operations.flatMap((operation) => creditDelay(operation, truth)),
    deliveryDelays: deliveryDelays(items('events'), truth),
  };
}

function byStatus(items: readonly Item[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of items) counts[status?.S ?? ''] = (counts[status?.S ?? ''] ?? 0) + 1;
  return counts;
}

function creditDelay({ verifiedTxHash, statusHistory }: Item, { transfers }: Truth): readonly number[] {
  const credited = statusHistory?.L?.find(({ M }) => M?.['status']?.S === 'PENDING')?.M?.['at']?.S;
  const sent = transfers.find(({ facts }) => facts.txHash === verifiedTxHash?.S);
  const finalAt = sent?.phases.findLast(({ state }) => state === 'CONFIRMED')?.at;
  if (credited === undefined || finalAt === undefined) return [];
  return [Math.max(0, (Date.parse(credited) - finalAt) / 1000)];
}

function deliveryDelays(events: readonly Item[], { receipts }: Truth): readonly number[] {
  const happened = new Map(events.map(({ eventId, occurredAt }) => [eventId?.S, Date.parse(occurredAt?.S ?? '')]));
  const first = new Map<string, number>();
  for (const { eventId, url, at } of receipts) {
    const delivery = `${eventId} ${url}`;
    const since = happened.get(eventId);
    if (since !== undefined && !first.has(delivery)) first.set(delivery, Math.max(0, (at - since) / 1000));
  }
  return [...first.values()];
}
