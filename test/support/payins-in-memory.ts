import type { Payin } from '#shared/domain/payin.ts';
import { nextPollAt } from '#shared/domain/payin-poll-schedule.ts';
import type { PayinChanges } from '#shared/dynamodb/payin-changes.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import { CLIENT, CREATED_AT, USER } from './off-ramp.ts';

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

interface PayinsInMemory extends Pick<Payins, 'find' | 'due'>, PayinChanges {
  readonly kept: ReadonlyMap<string, Payin>;
  /** When each pay-in is due, in the order of the index. */
  readonly dueAt: ReadonlyMap<string, string>;
}

/** Keeps what the table keeps, under the same conditions; all of it is one shard. */
export function payinsInMemory(...initial: readonly Payin[]): PayinsInMemory {
  const kept = new Map<string, Payin>();
  const dueAt = new Map<string, string>();
  const becomeDue = (payinId: string, at: string | undefined) => {
    if (at === undefined) dueAt.delete(payinId);
    else dueAt.set(payinId, at);
  };
  const isAsRead = (seen: Payin) => kept.get(seen.payinId)?.sequence === seen.sequence;
  const change = async (seen: Payin, changes: Partial<Payin>) => {
    if (!isAsRead(seen)) throw new WriteConflict('sequence');
    const next = { ...changes, sequence: seen.sequence + 1 };
    kept.set(seen.payinId, { ...seen, ...kept.get(seen.payinId), ...next });
    return { ...seen, ...next };
  };
  const create = async (payin: Payin) => {
    if (kept.has(payin.payinId)) return false;
    kept.set(payin.payinId, payin);
    becomeDue(payin.payinId, nextPollAt(payin, new Date(payin.createdAt)));
    return true;
  };
  for (const payin of initial) {
    kept.set(payin.payinId, payin);
    becomeDue(payin.payinId, payin.createdAt);
  }
  return {
    kept,
    dueAt,
    create,
    find: async (payinId) => kept.get(payinId),
    async *due(_, now) {
      const found = [...dueAt].filter(([, at]) => at <= now).sort(([, one], [, other]) => one.localeCompare(other));
      yield* found.map(([payinId]) => payinId);
    },
    beginOrdering: (seen, orderingSince) => change(seen, { orderingSince }),
    keepMismatch: (seen, settlementMismatch) => change(seen, { settlementMismatch }),
    async keepLink(payinId, pseLink) {
      const payin = kept.get(payinId);
      if (payin !== undefined) kept.set(payinId, { ...payin, pseLink: payin.pseLink ?? pseLink });
    },
    async changeStatus(seen, status, at) {
      const after = await change(seen, { status, statusHistory: [...seen.statusHistory, { status, at }] });
      becomeDue(seen.payinId, nextPollAt(after, new Date(at)));
      return after;
    },
    async pollAgainAt(seen, at) {
      if (!isAsRead(seen)) return false;
      becomeDue(seen.payinId, at);
      return true;
    },
  };
}
