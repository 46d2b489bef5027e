import type { Item } from './attribute-values.ts';
import type { Context } from './condition-expression.ts';
import { invalid } from './exceptions.ts';

interface Expressions {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

const NONE = {};

export function contextOf(
  { ExpressionAttributeNames = NONE, ExpressionAttributeValues = NONE }: Expressions,
  item: Item | undefined,
): Context {
  return { item, names: ExpressionAttributeNames, values: ExpressionAttributeValues };
}

/** Every used alias must be given, and every given alias must be used. */
export function checkAliases(
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Expressions,
  used: ReadonlySet<string> | undefined,
  alsoUsed: ReadonlySet<string> | undefined,
): void {
  checkUsed(names, used, alsoUsed);
  checkUsed(values, used, alsoUsed);
  checkGiven(names, values, used);
  checkGiven(names, values, alsoUsed);
}

function checkUsed(
  given: Readonly<Record<string, unknown>> | undefined,
  used: ReadonlySet<string> | undefined,
  alsoUsed: ReadonlySet<string> | undefined,
): void {
  if (given === undefined) return;
  let isEmpty = true;
  for (const alias in given) {
    isEmpty = false;
    if (used?.has(alias) !== true && alsoUsed?.has(alias) !== true) throw invalid(`${alias} is not used`);
  }
  if (isEmpty) throw invalid('ExpressionAttributeNames and ExpressionAttributeValues must not be empty');
}

function checkGiven(
  names: Expressions['ExpressionAttributeNames'],
  values: Expressions['ExpressionAttributeValues'],
  used: ReadonlySet<string> | undefined,
): void {
  for (const alias of used ?? []) {
    if (names?.[alias] === undefined && values?.[alias] === undefined) throw invalid(`${alias} is not given`);
  }
}
