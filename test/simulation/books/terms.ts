import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { isOwed } from './fits.ts';
import { depositStatusOf, has, text } from './items.ts';

/** The terms of the equation (decisions.md 9): a deposit stands in exactly one of them. */
export type Term = 'CREDITED' | 'OWED' | 'UNMATCHED' | 'KEPT' | 'RETURNING' | 'RETURNED' | 'DUST';

type Stands = (deposit: Item, operation: Item | undefined) => boolean;

const settledAs = (deposit: Item) => text(deposit['settled']?.M, 'outcome');
const isReturned = (deposit: Item) => has(deposit['return']?.M, 'returnedAt');
const isFinal = (deposit: Item) => text(deposit['transfer']?.M, 'state') === 'CONFIRMED';
const isCredited = (deposit: Item) => !has(deposit, 'return') && depositStatusOf(deposit) === 'CREDITED';

/** Each term is recognised by its own attributes. Two at once, or none for a deposit that is there, is a fault. */
const stands: Readonly<Record<Term, Stands>> = {
  CREDITED: (deposit, operation) => isCredited(deposit) && settledAs(deposit) === '' && !isOwed(operation),
  OWED: (deposit, operation) => isCredited(deposit) && settledAs(deposit) === '' && isOwed(operation),
  // A deposit that is held after it was unmatched is still there.
  UNMATCHED: (deposit) => has(deposit, 'unmatched') && has(deposit, 'firstUnmatchedAt') && !has(deposit, 'creditedAt'),
  KEPT: (deposit) => settledAs(deposit) === 'KEPT',
  RETURNING: (deposit) => has(deposit, 'return') && !isReturned(deposit),
  RETURNED: (deposit) => isReturned(deposit) || settledAs(deposit) === 'RETURNED',
  DUST: (deposit) => text(deposit, 'ignoredReason') === 'BELOW_MINIMUM' && isFinal(deposit),
};

export function termsOf(deposit: Item, operation: Item | undefined): readonly Term[] {
  const all: readonly Term[] = ['CREDITED', 'OWED', 'UNMATCHED', 'KEPT', 'RETURNING', 'RETURNED', 'DUST'];
  return all.filter((term) => stands[term](deposit, operation));
}

/** True if the deposit counts, as far as the service knows: final, from outside, to its address, and not reversed. */
export function isIn(deposit: Item): boolean {
  const why = text(deposit, 'ignoredReason');
  const isDecided = has(deposit, 'creditedAt') || has(deposit, 'firstUnmatchedAt') || why === 'BELOW_MINIMUM';
  const isNobodys = ['FROM_CUSTODIAN', 'NOT_OURS', 'RECORDED_TWICE'].includes(why);
  return isFinal(deposit) && isDecided && !isNobodys && depositStatusOf(deposit) !== 'REVERSED';
}
