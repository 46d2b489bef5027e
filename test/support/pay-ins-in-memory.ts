import * as z from 'zod/mini';
import { type Payin, payin } from '#shared/pay-ins/pay-in.ts';
import { createUnreadablePayins, type UnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import {
  createListedPayins,
  createPayinRepository,
  createPollPayinNow,
  type ListedPayins,
  type PayinStore,
  type PollPayinNow,
} from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { fakeClock } from './fake-clock.ts';
import { CLIENT, USER } from './ids.ts';
import { CREATED_AT } from './off-ramp.ts';
import { tablesInMemory } from './tables-in-memory.ts';

export const PAYIN = '55555555-5555-4555-8555-555555555555';

/** A PSE pay-in of 150,000.5 pesos as it is created, before the rail is asked. */
export function payinOf(differences: Partial<Payin> = {}): Payin {
  const createdAt = differences.createdAt ?? CREATED_AT;
  return {
    payinId: PAYIN,
    clientId: CLIENT,
    userId: USER,
    status: 'CASHININIT',
    sequence: 1,
    currency: 'COP',
    amount: '150000.5',
    paymentMethod: 'PSE',
    rail: 'simulated',
    bank: '1007',
    createdAt,
    statusHistory: [{ status: differences.status ?? 'CASHININIT', at: createdAt }],
    ...differences,
  };
}

interface PayinsInMemory extends PayinStore {
  readonly ofUsers: ListedPayins;
  readonly pollNow: PollPayinNow;
  readonly unreadableAt: (clock: Clock) => UnreadablePayins;
  /** Every pay-in as it is stored. */
  readonly kept: ReadonlyMap<string, Payin>;
  /** The time of the next poll of each pay-in that has one. */
  readonly dueAt: ReadonlyMap<string, string>;
}

const dueItem = z.object({ payinId: z.string(), nextPollAt: z.optional(z.string()) });

/** The table of pay-ins in memory; the initial ones have been due since their creation. */
export function payinsInMemory(...initial: readonly Payin[]): PayinsInMemory {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const table = tableNamed('payins');
  for (const made of initial) table.put(payinItem(made, made.createdAt));
  return {
    ...createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, clock),
    ofUsers: createListedPayins(dynamo, 'payins', clock),
    pollNow: createPollPayinNow(dynamo, 'payins', clock),
    unreadableAt: (now) => createUnreadablePayins(dynamo, 'payins', now),
    get kept() {
      const all = table.items().map((item) => payin.parse(item));
      return new Map(all.map((one) => [one.payinId, one]));
    },
    get dueAt() {
      const due = table.items().map((item) => dueItem.parse(item));
      return new Map(due.flatMap(({ payinId, nextPollAt }) => (nextPollAt ? [[payinId, nextPollAt] as const] : [])));
    },
  };
}
