import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { has, instant, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';

const open = ['AWAITING_DEPOSIT', 'PENDING', 'CASHININIT'];

/** Milliseconds. */
const CLOSED_FOR = 60_000;

/** A user's data are not erased while anything of the user is open, and an erased user starts nothing. */
export function checkUser({ before, after }: Change, { ledger }: Written): void {
  if (!has(after, 'erasedAt') || has(before, 'erasedAt')) return;
  const userId = text(after, 'userId');
  const isOpen = (one: Item) => text(one, 'userId') === userId && open.includes(text(one, 'status'));
  const left = [...ledger.operations.values(), ...ledger.payins.values()].filter(isOpen);
  const isClosed = instant(after, 'erasedAt') - instant(before, 'closedAt') >= CLOSED_FOR;
  must('who is erased has got no orders for a minute', isClosed, { userId });
  must('who is erased has nothing open', left.length === 0, { userId, left: left.length });
}

export function checkOwner({ before, after }: Revision, { ledger }: Written): void {
  const userId = text(after, 'userId');
  must('who is erased begins nothing', before !== undefined || !ledger.erased.has(userId), { userId });
}

/** A proposal ends once. */
export function checkProposal({ before, after }: Change): void {
  const isOver = has(before, 'doneAt') || has(before, 'withdrawnAt');
  const isBoth = has(after, 'doneAt') && has(after, 'withdrawnAt');
  must('a proposal ends once', !isBoth && !(isOver && after !== undefined), { proposalId: text(before, 'proposalId') });
}
