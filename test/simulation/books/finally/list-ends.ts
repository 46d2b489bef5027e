import { keysOf } from '#shared/platform/collections.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { isOwed } from '../fits.ts';
import { depositStatusOf, has, instant, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import { isIn, termsOf } from '../terms.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Milliseconds by which an index may lag behind a write when a list is read. */
const SETTLED = 60_000;

/** Milliseconds after which a payout is late, with the stage's settings. */
const PAYOUT_LATE = 4 * 3600_000;

interface Listed {
  readonly items: (ledger: Ledger) => ReadonlyMap<string, Item>;
  /** True if the item waits for a person at this time. */
  readonly waits: (item: Item, at: number, ledger: Ledger) => boolean;
}

/** The operators' lists, with the items that they must contain. */
const lists: Readonly<Record<string, Listed>> = {
  waiting: {
    items: ({ operations }) => operations,
    waits: (operation, at) =>
      text(operation, 'status') === 'AWAITING_DEPOSIT' && instant(operation, 'expiresAt') < at - SETTLED,
  },
  unmatched: {
    items: ({ deposits }) => deposits,
    waits: (deposit) =>
      !has(deposit, 'settled') && (has(deposit, 'unmatched') || depositStatusOf(deposit) === 'UNMATCHED'),
  },
  owed: {
    items: ({ deposits }) => deposits,
    waits: (deposit, _, { operations }) =>
      depositStatusOf(deposit) === 'CREDITED' &&
      !has(deposit, 'settled') &&
      isOwed(operations.get(text(deposit, 'operationId'))),
  },
  returns: {
    items: ({ deposits }) => deposits,
    waits: (deposit) => depositStatusOf(deposit) === 'RETURN_REQUESTED',
  },
  unpaid: {
    items: ({ operations }) => operations,
    waits: (operation, at) =>
      text(operation, 'status') === 'PENDING' && instant(operation, 'creditedAt') < at - PAYOUT_LATE,
  },
  contradictions: {
    items: ({ operations }) => operations,
    waits: (operation) => has(operation, 'contradictedSince'),
  },
  mismatched: {
    items: ({ payins }) => payins,
    waits: (payin) => has(payin, 'mismatchedAt'),
  },
};

/** Each list has exactly the items that wait for a person. */
export function checkListEnds(aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  checkNothingIsForgotten(aftermath);
  for (const { at, name, ids } of truth.lists) {
    const listed = new Set(ids);
    for (const [id, item] of lists[name]?.items(ledger) ?? []) {
      if ((ledger.writtenAt.get(id) ?? 0) > at - SETTLED) continue;
      const waits = lists[name]?.waits(item, at, ledger) === true;
      must('what waits for a person is on its list', !waits || listed.has(id), { name, id });
      const isAboutTime = lists[name]?.waits(item, at + 2 * SETTLED, ledger) === true;
      must('a list has only what waits for a person', waits || !listed.has(id) || isAboutTime, { name, id });
    }
  }
}

/** Received money has come to an end, or is in a list, when finance reads its lists for the last time. */
function checkNothingIsForgotten({ ledger, truth }: Aftermath): void {
  const last = new Map(truth.lists.map((list) => [list.name, list]));
  if (keysOf(lists).some((name) => !last.has(name))) return;
  const at = Math.min(...[...last.values()].map((list) => list.at));
  const listed = new Set([...last.values()].flatMap(({ ids }) => ids));
  for (const [id, deposit] of ledger.deposits) {
    const operationId = text(deposit, 'operationId');
    const isNews = [id, operationId].some((one) => (ledger.writtenAt.get(one) ?? 0) > at - SETTLED);
    if (isNews || !isIn(deposit) || listed.has(id) || listed.has(operationId)) continue;
    const operation = ledger.operations.get(operationId);
    const [term = ''] = termsOf(deposit, operation);
    const isEnded = ['DUST', 'KEPT', 'RETURNED'].includes(term) || (term === 'CREDITED' && isPaid(operation, at));
    must('what came in has a list or an end', isEnded, { id, term, status: text(operation, 'status') });
  }
}

/** True if the off-ramp is paid out, or its payout is not late yet. */
function isPaid(operation: Item | undefined, at: number): boolean {
  const status = text(operation, 'status');
  const isInTime = status === 'PENDING' && instant(operation, 'creditedAt') >= at - PAYOUT_LATE - SETTLED;
  return status === 'COMPLETED' || operation?.['paidOut']?.BOOL === true || isInTime;
}
