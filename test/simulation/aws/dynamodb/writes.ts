import { type CancellationReason, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { isChange, type OnChange } from './change.ts';
import { type Context, parseCondition } from './condition-expression.ts';
import { cancelled, invalid } from './exceptions.ts';
import { only, type Table } from './table.ts';
import { Unsupported } from './unsupported.ts';
import { InvalidUpdate, parseUpdate, updated } from './update-expression.ts';

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

/** Whether a condition is to be passed over, to find out what it is worth; asked of every one, whether it holds or not. */
export type IsWaived = (write: Write, condition: string, transaction: readonly Write[], holds: boolean) => boolean;

interface Prepared {
  readonly write: Write;
  readonly table: Table;
  readonly key: string;
  readonly isRefused: boolean;
  readonly before: Item | undefined;
  /** Not computed for a write that is refused. */
  readonly after: Item | undefined;
  readonly touched: readonly string[];
}

interface Deps {
  readonly tableNamed: (name: string | undefined) => Table;
  readonly isWaived: IsWaived | undefined;
  readonly onChange: OnChange;
}

/** @throws {ConditionalCheckFailedException} with the item if that was asked for. */
export function writeOne(deps: Deps, write: Write): { Attributes?: Item } {
  const prepared = prepare(deps, write, [write]);
  if (prepared.isRefused) {
    throw new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      ...itemIfAsked(prepared),
    });
  }
  commit(deps, [prepared]);
  const Attributes = returned(prepared) ?? {};
  return Object.keys(Attributes).length === 0 ? {} : { Attributes };
}

/** @throws {TransactionCanceledException} with a reason for every leg; then nothing was written. */
export function writeAll(deps: Deps, writes: readonly Write[]): void {
  const prepared = writes.map((write) => prepare(deps, write, writes));
  const places = prepared.map(({ write, key }) => `${write.TableName}\n${key}`);
  if (new Set(places).size < places.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
  const reasons = prepared.map(
    (leg): CancellationReason =>
      leg.isRefused
        ? { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', ...itemIfAsked(leg) }
        : { Code: 'None' },
  );
  if (prepared.some(({ isRefused }) => isRefused)) throw cancelled(reasons);
  commit(deps, prepared);
}

function prepare({ tableNamed, isWaived }: Deps, write: Write, transaction: readonly Write[]): Prepared {
  const table = tableNamed(write.TableName);
  const identity = write.Key ?? write.Item ?? {};
  if (write.Key !== undefined && Object.keys(write.Key).length !== table.keyNames.length) throw invalid('not a key');
  const key = table.keyOf(identity);
  const before = table.read(key, true);
  const context = contextOf(write, before);
  const condition = write.ConditionExpression === undefined ? undefined : parseCondition(write.ConditionExpression);
  const update = write.UpdateExpression === undefined ? undefined : parseUpdate(write.UpdateExpression);
  checkAliases(context, [condition?.aliases, update?.aliases]);
  const isRefused = condition?.conjuncts.some(({ text, holds }) => {
    const isHeld = holds(context);
    return isWaived?.(write, text, transaction, isHeld) !== true && !isHeld;
  });
  const unchanged = { write, table, key, isRefused: isRefused === true, before, after: before, touched: [] };
  if (isRefused || write.kind === 'ConditionCheck') return unchanged;
  if (write.kind === 'Delete') return { ...unchanged, after: undefined };
  if (write.kind === 'Put') return { ...unchanged, after: write.Item };
  try {
    const { item, touched } = updated(
      update ?? { actions: [], aliases: new Set() },
      context,
      only(identity, table.keyNames),
    );
    return { ...unchanged, after: item, touched };
  } catch (error) {
    throw error instanceof InvalidUpdate ? invalid(error.message) : error;
  }
}

function commit({ onChange }: Deps, legs: readonly Prepared[]): void {
  const written = legs.filter(({ write }) => write.kind !== 'ConditionCheck');
  for (const { table, key, after } of written) table.write(key, after);
  for (const { write, table, before, after } of written) {
    if (!isChange({ before, after })) continue;
    onChange({ table: write.TableName ?? '', key: only(write.Key ?? write.Item ?? {}, table.keyNames), before, after });
  }
}

function itemIfAsked({ write, before }: Prepared): { Item?: Item } {
  return write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined ? { Item: before } : {};
}

function returned({ write, before, after, touched }: Prepared): Item | undefined {
  switch (write.ReturnValues) {
    case undefined:
    case 'NONE':
      return undefined;
    case 'ALL_OLD':
      return before;
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
      return before && only(before, touched);
    case 'UPDATED_NEW':
      return after && only(after, touched);
    default:
      throw new Unsupported(write.ReturnValues);
  }
}

export function contextOf(
  expressions: Pick<Write, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>,
  item: Item | undefined,
): Context {
  return {
    item,
    names: expressions.ExpressionAttributeNames ?? {},
    values: expressions.ExpressionAttributeValues ?? {},
  };
}

/** Every alias that is used has to be given, and none that is not used may be. */
export function checkAliases({ names, values }: Context, aliases: readonly (ReadonlySet<string> | undefined)[]): void {
  const given = new Set([...Object.keys(names), ...Object.keys(values)]);
  for (const used of aliases)
    for (const alias of used ?? []) if (!given.has(alias)) throw invalid(`${alias} is not given`);
  for (const alias of given) if (!aliases.some((used) => used?.has(alias))) throw invalid(`${alias} is not used`);
}
