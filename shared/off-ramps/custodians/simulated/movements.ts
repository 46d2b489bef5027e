import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createOutgoingIn } from './sendings.ts';
import { orNone, simulatedTable, transfersIn } from './transactions.ts';

/** What books are made of. What leaves its account is outgoing, wherever it goes; everything else comes in. */
export function simulatedMovements(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): Required<Pick<Custodian, 'listMovements'>> {
  const { list } = simulatedTable(dynamo, table, clock);
  const outgoingIn = createOutgoingIn(dynamo, table, clock);
  return {
    async listMovements(query) {
      const { items, cursor } = await list(query);
      const outgoing = await Promise.all(items.map(async ({ id, item }) => (await orNone(outgoingIn(id, item))) ?? []));
      const incoming = items.flatMap(({ id, item }) => transfersIn(id, item)).filter((one) => !one.isFromCustodian);
      return { incoming, outgoing: outgoing.flat(), cursor, answer: JSON.stringify(items.map(({ item }) => item)) };
    },
  };
}
