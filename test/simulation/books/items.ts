import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';

/*
 * Readers of items in DynamoDB's format. They know the attribute names themselves, so the books do not depend on the
 * code that writes the items.
 */

/** Returns a string; empty if there is none. */
export function text(item: Item | undefined, name: string): string {
  return item?.[name]?.S ?? '';
}

export function maybeText(item: Item | undefined, name: string): string | undefined {
  return item?.[name]?.S;
}

/** Returns a number; 0 if there is none. */
export function number(item: Item | undefined, name: string): number {
  return Number(item?.[name]?.N ?? 0);
}

/** Returns milliseconds since 1970; NaN if there is no instant. */
export function instant(item: Item | undefined, name: string): number {
  return Date.parse(text(item, name));
}

/** Returns the time to live, which is in seconds, as milliseconds since 1970. */
export function expiry(item: Item | undefined): number {
  return number(item, 'expiresAt') * 1000;
}

export function has(item: Item | undefined, name: string): boolean {
  return item?.[name] !== undefined;
}

/** True if an item has all of the attributes, or none of them. */
export function hasAllOrNone(item: Item, names: readonly string[]): boolean {
  const [first = '', ...others] = names;
  return others.every((name) => has(item, name) === has(item, first));
}

/** Lists the names, of those given, whose string or number differs between two items. */
export function differing(before: Item, after: Item, names: readonly string[]): readonly string[] {
  return names.filter((name) => before[name]?.S !== after[name]?.S || before[name]?.N !== after[name]?.N);
}

/** Lists the statuses of a pay-in, oldest first. */
export function historyOf(item: Item | undefined): readonly string[] {
  return (item?.['statusHistory']?.L ?? []).map((entry) => text(entry.M, 'status'));
}

/** Lists the attempts at a delivery, oldest first: time, reason, status or error, and duration. */
export function attemptsOf(delivery: Item | undefined): readonly AttributeValue[] {
  return delivery?.['attempts']?.L ?? [];
}

/** Lists what other services have reported against the status of an operation, oldest first. */
export function contradictionsOf(operation: Item | undefined): readonly Item[] {
  return (operation?.['contradictions']?.L ?? []).flatMap(({ M }) => (M === undefined ? [] : [M]));
}

/** Derives the status that clients see of a deposit; empty while they see none. */
export function depositStatusOf(deposit: Item | undefined): string {
  const left = deposit?.['return']?.M;
  // For a deposit without an operation, people see only this status.
  if (left !== undefined) return has(left, 'returnedAt') ? 'RETURNED' : 'RETURN_REQUESTED';
  if (!has(deposit, 'operationId')) return '';
  if (has(deposit, 'creditedAt')) return text(deposit, 'unmatched') === 'REVERSED' ? 'REVERSED' : 'CREDITED';
  const state = text(deposit?.['transfer']?.M, 'state');
  if (state === '' || state === 'FAILED' || state === 'HELD') return state;
  return has(deposit, 'reasons') ? 'UNMATCHED' : 'DETECTED';
}

/** Derives the status that a client reads of a hash from its operation. */
export function hashStatusOf(operation: Item): string {
  if (has(operation, 'verifiedTxHash')) return 'VERIFIED';
  if (text(operation, 'status') !== 'AWAITING_DEPOSIT') return 'NOT_VERIFIED';
  return has(operation, 'txHash') ? 'VERIFYING' : 'NOT_SUBMITTED';
}
