import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { type Item, pickAttributes } from './attribute-values.ts';
import { isChange, type OnChanges } from './change.ts';
import { cancelled, conditionFailed, conflicting, invalid } from './exceptions.ts';
import type { Expiries } from './expiries.ts';
import { createAllowance, LARGEST_TRANSACTION } from './item-size.ts';
import type { Table } from './table.ts';
import { Unsupported } from './unsupported.ts';
import { type Decided, decide, validWrite, type Write } from './write.ts';

const MOST_LEGS = 100;

interface Deps {
  readonly tableNamed: (name: string | undefined) => Table;
  readonly onChanges: OnChanges | undefined;
}

/** @throws {ConditionalCheckFailedException} with the item if the request asks for it */
export function writeOne({ tableNamed, onChanges }: Deps, write: Write): { Attributes?: Item } {
  const valid = validWrite(tableNamed(write.TableName), write);
  if (valid.table.isHeld(valid.key)) throw conflicting();
  const decided = decide(valid);
  if (decided.refusal === 'CONDITION') {
    throw conditionFailed(itemIfAsked(decided));
  }
  if (decided.refusal !== undefined) throw invalid(decided.refusal.message);
  commit([decided], onChanges);
  const Attributes = returned(decided);
  return Attributes === undefined || isEmpty(Attributes) ? {} : { Attributes };
}

/**
 * @returns calls that make the legs visible one by one, if the transaction is torn
 * @throws {TransactionCanceledException} with a reason for every leg; nothing is written then
 */
export function writeAll(
  { tableNamed, onChanges }: Deps,
  writes: readonly Write[],
  isTorn: boolean,
): { unseen?: readonly (() => void)[] } {
  if (writes.length === 0 || writes.length > MOST_LEGS) throw invalid(`a transaction of ${writes.length} legs`);
  const legs = writes.map((write) => validWrite(tableNamed(write.TableName), write));
  if (new Set(legs.map(({ table, key }) => `${table.name} ${key}`)).size < legs.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
  const conflicts = legs.map(({ table, key }) => ({ Code: table.isHeld(key) ? 'TransactionConflict' : 'None' }));
  if (conflicts.some(({ Code }) => Code !== 'None')) throw cancelled(conflicts);
  const decided = legs.map(decide);
  if (decided.some(({ refusal }) => refusal !== undefined)) throw cancelled(decided.map(reasonOf));
  const { takes } = createAllowance(LARGEST_TRANSACTION);
  const isTooLarge = decided.some(({ after }) => after !== undefined && !takes(after));
  if (isTooLarge) throw invalid('The items of the transaction have more than 4 MB');
  if (isTorn) for (const { table, key, before } of decided) table.hold(key, before);
  commit(decided, onChanges);
  return isTorn
    ? {
        unseen: decided.map(
          ({ table, key }) =>
            () =>
              table.release(key),
        ),
      }
    : {};
}

/** Milliseconds after which the deletion of an item is retried while a transaction holds it. */
const WHILE_HELD = 1000;

export function createDeleteExpired({ tableNamed, onChanges }: Deps, expiries: Expiries): () => void {
  return () => {
    for (let expiry = expiries.take(); expiry !== undefined; expiry = expiries.take()) {
      const { key, time } = expiry;
      const table = tableNamed(expiry.table);
      const before = table.read(key, true);
      if (table.isHeld(key)) expiries.putOff(expiry, WHILE_HELD);
      else if (before?.[table.shape.timeToLive ?? '']?.N === time) {
        table.write(key, undefined);
        const change = { table: table.name, key: pickAttributes(before, table.keyNames), before, after: undefined };
        onChanges?.([{ ...change, isExpiry: true }]);
      }
    }
  };
}

function commit(decided: readonly Decided[], onChanges: OnChanges | undefined): void {
  const written = decided.filter(({ write }) => write.kind !== 'ConditionCheck');
  for (const { table, key, after } of written) table.write(key, after);
  if (onChanges === undefined) return;
  const changes = written.filter(isChange).map(({ write, table, before, after }) => ({
    table: table.name,
    key: pickAttributes(write.Key ?? write.Item ?? {}, table.keyNames),
    before,
    after,
  }));
  if (changes.length > 0) onChanges(changes);
}

function reasonOf(decided: Decided): CancellationReason {
  const { refusal } = decided;
  if (refusal === undefined) return { Code: 'None' };
  if (refusal !== 'CONDITION') return { Code: 'ValidationError', Message: refusal.message };
  return { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', ...itemIfAsked(decided) };
}

function itemIfAsked({ write, before }: Decided): { Item?: Item } {
  return write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined ? { Item: before } : {};
}

function returned({ write, before, after, touched }: Decided): Item | undefined {
  switch (write.ReturnValues) {
    case undefined:
    case 'NONE':
      return undefined;
    case 'ALL_OLD':
      return before;
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
      return before && pickAttributes(before, touched);
    case 'UPDATED_NEW':
      return after && pickAttributes(after, touched);
    default:
      throw new Unsupported(write.ReturnValues);
  }
}

function isEmpty(item: Item): boolean {
  for (const _ in item) return false;
  return true;
}
