import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { type Payin, payinStatuses } from '#shared/domain/payin.ts';
import { type PayinChanges, payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { type Payins, payinsIn } from '#shared/dynamodb/payins.ts';
import { shardOf } from '#shared/dynamodb/shards.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import { deployedParts } from '../support/deployed.ts';
import { payinOf, payinsInMemory } from '../support/payins-in-memory.ts';

interface Table extends Pick<Payins, 'find' | 'due'>, PayinChanges {}

/** A write that somebody makes who read the pay-in now, or before the write before. */
type Step = (table: Table, seen: Payin) => Promise<unknown>;

// Nothing is due so late that the deployed sweep would take part.
const DAY = 24 * 3600 * 1000;
const START = Date.now() + DAY;
const instants = fc.nat(60 * 24 * 3600).map((seconds) => new Date(START + seconds * 1000).toISOString());

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>((table, seen) => table.create(seen)),
  instants.map<Step>((at) => (table, seen) => table.beginOrdering(seen, at)),
  instants.map<Step>((at) => (table, seen) => table.keepMismatch(seen, { amount: '1', currency: 'USD', at })),
  fc.constantFrom('https://one', 'https://two').map<Step>(
    (link) =>
      (table, { payinId }) =>
        table.keepLink(payinId, link),
  ),
  fc.tuple(fc.constantFrom(...payinStatuses), instants).map<Step>(
    ([status, at]) =>
      (table, seen) =>
        table.changeStatus(seen, status, at),
  ),
  fc.option(instants, { nil: undefined }).map<Step>((at) => (table, seen) => table.pollAgainAt(seen, at)),
);

/** What every step answered, and how the pay-in stands in the end. */
async function played(table: Table, payin: Payin, steps: readonly (readonly [isStale: boolean, Step])[]) {
  let [before, seen] = [payin, payin];
  const answers: unknown[] = [await table.create(payin)];
  for (const [isStale, take] of steps) {
    const answer = take(table, isStale ? before : seen).catch((error: unknown) => {
      if (error instanceof WriteConflict) return error.name;
      throw error;
    });
    answers.push(await answer);
    [before, seen] = [seen, (await table.find(payin.payinId)) ?? seen];
  }
  return { answers, seen, dueDay: await dueDayOf(table, payin.payinId) };
}

/** The first of these days on which the index has it. */
async function dueDayOf(table: Table, payinId: string): Promise<number | undefined> {
  for (const day of [0, 1, 2, 31, 61, 92]) {
    const now = new Date(START + day * DAY).toISOString();
    for await (const due of table.due(shardOf('PAYIN', payinId), now)) if (due === payinId) return day;
  }
  return undefined;
}

test('whatever is written to a pay-in, the table in memory of the unit tests answers as the deployed one', async () => {
  const { dynamo, tables } = deployedParts();
  const names = { payins: inject('stack')['payinsTable'] ?? '', events: tables.events };
  const deployed = { ...payinsIn(dynamo, names.payins), ...payinChangesIn(dynamo, names, randomUUID) };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), step), { minLength: 3, maxLength: 12 }), async (steps) => {
      const payin = payinOf({ payinId: randomUUID(), createdAt: new Date(START).toISOString() });
      expect(await played(deployed, payin, steps)).toEqual(await played(payinsInMemory(), payin, steps));
    }),
    { numRuns: 40 },
  );
});
