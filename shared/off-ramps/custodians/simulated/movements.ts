import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import Big from 'big.js';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createOutgoingIn } from './sendings.ts';
import { orNone, simulatedTable, transfersIn } from './transactions.ts';

/** No stage is older. */
const BEGINNING = '2026-01-01T00:00:00.000Z';

/** What books are made of. What leaves its account is outgoing, wherever it goes; everything else comes in. */
export function simulatedMovements(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): Required<Pick<Custodian, 'listMovements' | 'readBalances'>> {
  const { list } = simulatedTable(dynamo, table);
  const outgoingIn = createOutgoingIn(dynamo, table, clock);

  const page = async (query: Parameters<typeof list>[0]) => {
    const { items, cursor } = await list(query);
    const outgoing = await Promise.all(items.map(async ({ id, item }) => (await orNone(outgoingIn(id, item))) ?? []));
    const incoming = items.flatMap(({ id, item }) => transfersIn(id, item)).filter((one) => !one.isFromCustodian);
    return { incoming, outgoing: outgoing.flat(), cursor, answer: JSON.stringify(items.map(({ item }) => item)) };
  };

  return {
    listMovements: page,

    async readBalances() {
      const sums = new Map<string, Big>();
      const all = { createdSince: BEGINNING, until: clock.now().toISOString() };
      let cursor: string | undefined;
      do {
        const { incoming, outgoing, cursor: next } = await page({ ...all, cursor });
        const taken = outgoing.map((one) => ({ ...one, amount: `-${one.amount}` }));
        for (const { state, assetId, amount } of [...incoming, ...taken])
          if (state === 'CONFIRMED') sums.set(assetId, (sums.get(assetId) ?? new Big(0)).plus(amount));
        cursor = next;
      } while (cursor !== undefined);
      return [...sums].map(([assetId, sum]) => ({ assetId, amount: sum.toFixed() }));
    },
  };
}
