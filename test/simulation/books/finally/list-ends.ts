import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { contradictionsOf, depositStatusOf, has, instant, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Milliseconds: what was written so shortly before a list was read may not be in its index yet. */
const SETTLED = 60_000;

/** Milliseconds after which a payout is late, as the stage has it. */
const PAYOUT_LATE = 4 * 3600_000;

interface Listed {
  readonly items: (ledger: Ledger) => ReadonlyMap<string, Item>;
  /** Whether it waits for somebody at this time. */
  readonly waits: (item: Item, at: number, ledger: Ledger) => boolean;
}

/** What each list of operators is to have. */
const lists: Readonly<Record<string, Listed>> = {
  waiting: {
    items: ({ operations }) => operations,
    waits: (operation, at) =>
      text(operation, 'status') === 'AWAITING_DEPOSIT' && instant(operation, 'expiresAt') < at - SETTLED,
  },
  unmatched: {
    items: ({ deposits }) => deposits,
    waits: (deposit) => has(deposit, 'unmatched') || depositStatusOf(deposit) === 'UNMATCHED',
  },
  owed: {
    items: ({ deposits }) => deposits,
    waits: (deposit, _, { operations }) => isOwed(deposit, operations.get(text(deposit, 'operationId'))),
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

/** What was credited, is still there, and is not paid out: its operation has ended otherwise, or its payout came back. */
function isOwed(deposit: Item, operation: Item | undefined): boolean {
  const [status, paidOut] = [text(operation, 'status'), operation?.['paidOut']?.BOOL];
  if (depositStatusOf(deposit) !== 'CREDITED' || paidOut === true) return false;
  const isBack = contradictionsOf(operation).some(
    (one) => text(one, 'status') === 'PAYOUT_RETURNED' && !has(one, 'closedAt'),
  );
  return ['CANCELLED', 'FAILED'].includes(status) || (status === 'COMPLETED' && (paidOut === false || isBack));
}

/** What waits for a person is on the list of it, all of it, and nothing else is. */
export function checkListEnds({ ledger, truth }: Aftermath): void {
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
