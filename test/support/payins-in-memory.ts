import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Payin } from '#shared/domain/payin.ts';
import { fromItem, toItem } from '#shared/dynamodb/client.ts';
import { type PayinChanges, payinChangesIn } from '#shared/dynamodb/payin-changes.ts';
import { duePayin, type Payins, parsePayin, payinsIn } from '#shared/dynamodb/payins.ts';
import { CLIENT, CREATED_AT, USER } from './off-ramp.ts';
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
    bank: '1007',
    createdAt,
    statusHistory: [{ status: differences.status ?? 'CASHININIT', at: createdAt }],
    ...differences,
  };
}

interface PayinsInMemory extends Payins, PayinChanges {
  /** Every pay-in as it stands. */
  readonly kept: ReadonlyMap<string, Payin>;
  /** When each is due that is. */
  readonly dueAt: ReadonlyMap<string, string>;
}

const dueItem = z.object({ payinId: z.string(), nextLookAt: z.optional(z.string()) });

/** The table of pay-ins in memory; those that are there already are due since they were made. */
export function payinsInMemory(...initial: readonly Payin[]): PayinsInMemory {
  const { dynamo, tables } = tablesInMemory();
  const table = tables.get('payins');
  for (const payin of initial) {
    const item = toItem({ ...payin, ...duePayin(payin.payinId, payin.createdAt), record: 'PAYIN' });
    table?.write(table.keyOf(item), item);
  }
  const items = () => table?.items() ?? [];
  return {
    ...payinsIn(dynamo, 'payins'),
    ...payinChangesIn(dynamo, { payins: 'payins', events: 'events' }, randomUUID),
    get kept() {
      return new Map(
        items()
          .map(parsePayin)
          .map((payin) => [payin.payinId, payin]),
      );
    },
    get dueAt() {
      const due = items().map((item) => fromItem(dueItem, item));
      return new Map(due.flatMap(({ payinId, nextLookAt }) => (nextLookAt ? [[payinId, nextLookAt] as const] : [])));
    },
  };
}
