import { checkAliases, contextOf } from './aliases.ts';
import { type Item, pickAttributes } from './attribute-values.ts';
import { type Condition, parseCondition } from './condition-expression.ts';
import { invalid } from './exceptions.ts';
import { isLargerThan, LARGEST_ITEM } from './item-size.ts';
import type { Table } from './table.ts';
import { parseUpdate, UnfitWrite, type Update, updated } from './update-expression.ts';

/** One conditional write, alone or as a leg of a transaction. */
export interface Write {
  readonly kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  readonly TableName?: string | undefined;
  readonly Item?: Item | undefined;
  readonly Key?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
  readonly ReturnValues?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

/** A write that is valid whatever the table contains. */
interface ValidWrite {
  readonly write: Write;
  readonly table: Table;
  readonly key: string;
  readonly condition: Condition | undefined;
  readonly update: Update | undefined;
}

/** The result of a write on the current item. */
export interface Decided extends ValidWrite {
  readonly before: Item | undefined;
  /** The unchanged item if the write is refused. */
  readonly after: Item | undefined;
  /** Attributes that an update writes. */
  readonly touched: readonly string[];
  /** Set if the condition is false, or the write does not fit. */
  readonly refusal: 'CONDITION' | UnfitWrite | undefined;
}

/** @throws ValidationException for a write that can never succeed */
export function validWrite(table: Table, write: Write): ValidWrite {
  const { kind, Item, Key, ConditionExpression, UpdateExpression } = write;
  const condition = ConditionExpression === undefined ? undefined : parseCondition(ConditionExpression);
  const update = UpdateExpression === undefined ? undefined : parseUpdate(UpdateExpression);
  checkAliases(write, condition?.aliases, update?.aliases);
  if (kind === 'ConditionCheck' && condition === undefined) throw invalid('a check without a condition');
  if (kind !== 'Put') return { write, table, key: table.wholeKey(Key ?? {}), condition, update };
  const key = table.keyOf(Item ?? {});
  if (isLargerThan(LARGEST_ITEM, Item ?? {})) throw invalid('Item size has exceeded the maximum allowed size');
  return { write, table, key, condition, update };
}

export function decide(valid: ValidWrite): Decided {
  const { write, table, key, condition } = valid;
  const before = table.read(key, true);
  const context = contextOf(write, before);
  const isRefused = condition?.holds(context) === false;
  if (isRefused) return { ...valid, before, after: before, touched: [], refusal: 'CONDITION' };
  switch (write.kind) {
    case 'Put':
      return { ...valid, before, after: write.Item, touched: [], refusal: misfitOf(valid) };
    case 'Delete':
      return { ...valid, before, after: undefined, touched: [], refusal: undefined };
    case 'ConditionCheck':
      return { ...valid, before, after: before, touched: [], refusal: undefined };
    case 'Update':
      return { ...valid, before, ...afterUpdate(valid, before) };
  }
}

function misfitOf({ write, table }: ValidWrite): UnfitWrite | undefined {
  const misfit = table.misfitOfIndexes(write.Item ?? {});
  return misfit === undefined ? undefined : new UnfitWrite(misfit);
}

function afterUpdate(
  { write, table, update }: ValidWrite,
  before: Item | undefined,
): Pick<Decided, 'after' | 'touched' | 'refusal'> {
  const key = pickAttributes(write.Key ?? {}, table.keyNames);
  if (update === undefined) return { after: before ?? key, touched: [], refusal: undefined };
  try {
    const { item, touched } = updated(update, contextOf(write, before), key);
    const misfit = table.misfitOfIndexes(item);
    if (misfit !== undefined) throw new UnfitWrite(misfit);
    if (isLargerThan(LARGEST_ITEM, item)) {
      throw new UnfitWrite('Item size to update has exceeded the maximum allowed size');
    }
    return { after: item, touched, refusal: undefined };
  } catch (error) {
    if (error instanceof UnfitWrite) return { after: before, touched: [], refusal: error };
    throw error;
  }
}
