import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';

/*
 * Readers of items as DynamoDB keeps them. The names of their attributes are facts, so the books know the items without the
 * code that writes them.
 */

/** A text; empty when there is none. */
export function text(item: Item | undefined, name: string): string {
  return item?.[name]?.S ?? '';
}

export function maybeText(item: Item | undefined, name: string): string | undefined {
  return item?.[name]?.S;
}

/** A number; 0 when there is none. */
export function number(item: Item | undefined, name: string): number {
  return Number(item?.[name]?.N ?? 0);
}

/** Milliseconds since 1970; not a number when there is no instant. */
export function instant(item: Item | undefined, name: string): number {
  return Date.parse(text(item, name));
}

/** Milliseconds since 1970 of a time to live, which is in seconds. */
export function expiry(item: Item | undefined): number {
  return number(item, 'expiresAt') * 1000;
}

export function has(item: Item | undefined, name: string): boolean {
  return item?.[name] !== undefined;
}

/** Whether an item has all of the attributes, or none of them. */
export function hasAllOrNone(item: Item, names: readonly string[]): boolean {
  const [first = '', ...others] = names;
  return others.every((name) => has(item, name) === has(item, first));
}

/** Names of the texts and numbers, of those given, in which two items differ. */
export function differing(before: Item, after: Item, names: readonly string[]): readonly string[] {
  return names.filter((name) => before[name]?.S !== after[name]?.S || before[name]?.N !== after[name]?.N);
}

/** Statuses of a pay-in, oldest first. */
export function historyOf(item: Item | undefined): readonly string[] {
  return (item?.['statusHistory']?.L ?? []).map((entry) => text(entry.M, 'status'));
}

/** Attempts at a delivery, oldest first: when, what for, a status or an error, and how long. */
export function attemptsOf(delivery: Item | undefined): readonly AttributeValue[] {
  return delivery?.['attempts']?.L ?? [];
}

/** What other services have said against the status of an operation, oldest first. */
export function contradictionsOf(operation: Item | undefined): readonly Item[] {
  return (operation?.['contradictions']?.L ?? []).flatMap(({ M }) => (M === undefined ? [] : [M]));
}

/** The status that a client knows of a deposit follows from the deposit; empty while it knows of none. */
export function depositStatusOf(deposit: Item | undefined): string {
  const left = deposit?.['return']?.M;
  // Of what is nobody's people know this status alone.
  if (left !== undefined) return has(left, 'returnedAt') ? 'RETURNED' : 'RETURN_REQUESTED';
  if (!has(deposit, 'operationId')) return '';
  if (has(deposit, 'creditedAt')) return text(deposit, 'unmatched') === 'REVERSED' ? 'REVERSED' : 'CREDITED';
  const state = text(deposit?.['transfer']?.M, 'state');
  if (state === '' || state === 'FAILED' || state === 'HELD') return state;
  return has(deposit, 'reasons') ? 'UNMATCHED' : 'DETECTED';
}

/** The status that a client reads of a hash follows from its operation. */
export function hashStatusOf(operation: Item): string {
  if (has(operation, 'verifiedTxHash')) return 'VERIFIED';
  if (text(operation, 'status') !== 'AWAITING_DEPOSIT') return 'NOT_VERIFIED';
  return has(operation, 'txHash') ? 'VERIFYING' : 'NOT_SUBMITTED';
}
