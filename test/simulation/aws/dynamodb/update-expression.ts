import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { difference, type Item, sum } from './attribute-values.ts';
import { type Context, parseOperand } from './condition-expression.ts';
import { invalid } from './exceptions.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { Unsupported } from './unsupported.ts';

/** Returns the new value of an attribute from the item before the update; `undefined` removes the attribute. */
type Value = (context: Context) => AttributeValue | undefined;

interface Action {
  /** An attribute's name or alias. */
  readonly name: string;
  readonly value: Value;
}

export interface Update {
  readonly actions: readonly Action[];
  readonly aliases: ReadonlySet<string>;
}

/** A write that does not fit the item or an index: alone it is invalid, and it cancels a transaction. */
export class UnfitWrite extends Error {
  override readonly name = 'UnfitWrite';
}

const parsed = new Map<string, Update>();

/** @throws {Unsupported} for syntax that is not implemented; nothing is ignored */
export function parseUpdate(text: string): Update {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const tokens = tokensOf(text);
  const sections = new Map(Object.entries(parsers));
  const actions: Action[] = [];
  for (let clause = tokens.peek(); clause !== undefined; clause = tokens.peek()) {
    const keyword = clause.toUpperCase();
    const parse = sections.get(keyword);
    if (parse === undefined || !sections.delete(keyword)) throw new Unsupported(`${clause} in ${text}`);
    tokens.expect(keyword);
    do actions.push(parse(tokens));
    while (tokens.take(','));
  }
  const update = { actions, aliases: tokens.aliases };
  parsed.set(text, update);
  return update;
}

/**
 * Returns the item after the update; it always has the key's attributes.
 *
 * @throws {UnfitWrite} if it uses a value that is missing or has a wrong type
 * @throws ValidationException if it writes an attribute twice, or a part of the key
 */
export function updated(update: Update, context: Context, key: Item): { item: Item; touched: readonly string[] } {
  const changes = new Map<string, AttributeValue | undefined>();
  for (const { name, value } of update.actions) {
    const attribute = context.names[name] ?? name;
    if (changes.has(attribute)) throw invalid(`Two document paths overlap with each other: ${attribute}`);
    if (attribute in key) throw invalid(`Cannot update attribute ${attribute}. It is part of the key`);
    changes.set(attribute, value(context));
  }
  const item: Item = {};
  const before = context.item ?? key;
  for (const name in before) {
    const value = before[name];
    if (value !== undefined && !changes.has(name)) item[name] = value;
  }
  for (const [name, value] of changes) if (value !== undefined) item[name] = value;
  return { item, touched: [...changes.keys()] };
}

const parsers: Readonly<Record<string, (tokens: Tokens) => Action>> = {
  SET: (tokens) => {
    const name = tokens.name();
    tokens.expect('=');
    return { name, value: parseSum(tokens) };
  },
  REMOVE: (tokens) => ({ name: tokens.name(), value: () => undefined }),
  ADD: (tokens) => {
    const [name, alias] = [tokens.name(), tokens.value()];
    return { name, value: ({ item, names, values }) => added(item?.[names[name] ?? name], values[alias]) };
  },
  DELETE: (tokens) => {
    const [name, alias] = [tokens.name(), tokens.value()];
    return { name, value: ({ item, names, values }) => withoutMembers(item?.[names[name] ?? name], values[alias]) };
  },
};

function parseSum(tokens: Tokens): Value {
  const left = parseValue(tokens);
  const compute = tokens.take('+') ? sum : tokens.take('-') ? difference : undefined;
  if (compute === undefined) return (context) => present(left(context));
  const right = parseValue(tokens);
  return (context) => compute(numberIn(left(context)), numberIn(right(context)));
}

function parseValue(tokens: Tokens): Value {
  const call = tokens.peek();
  if (call !== 'if_not_exists' && call !== 'list_append') return parseOperand(tokens);
  tokens.take(call.toUpperCase());
  tokens.expect('(');
  const first = parseValue(tokens);
  tokens.expect(',');
  const second = parseValue(tokens);
  tokens.expect(')');
  if (call === 'if_not_exists') return (context) => first(context) ?? second(context);
  return (context) => ({ L: [...listIn(first(context)), ...listIn(second(context))] });
}

function added(before: AttributeValue | undefined, value: AttributeValue | undefined): AttributeValue {
  if (value?.SS !== undefined) return { SS: [...new Set([...(membersIn(before) ?? []), ...value.SS])] };
  return before === undefined ? { N: numberIn(value) } : sum(numberIn(before), numberIn(value));
}

/** Removes members from a set; an empty set is removed. */
function withoutMembers(before: AttributeValue | undefined, value: AttributeValue | undefined) {
  const gone = membersIn(value);
  if (gone === undefined) throw new UnfitWrite('only members of a set are deleted');
  const left = membersIn(before)?.filter((member) => !gone.includes(member)) ?? [];
  return left.length === 0 ? undefined : { SS: left };
}

function present(value: AttributeValue | undefined): AttributeValue {
  if (value === undefined) throw new UnfitWrite('an attribute that is not there is used');
  return value;
}

function numberIn(value: AttributeValue | undefined): string {
  const text = value?.N;
  if (text === undefined) throw new UnfitWrite('not a number');
  return text;
}

function listIn(value: AttributeValue | undefined): readonly AttributeValue[] {
  const list = value?.L;
  if (list === undefined) throw new UnfitWrite('not a list');
  return list;
}

function membersIn(value: AttributeValue | undefined): readonly string[] | undefined {
  if (value !== undefined && value.SS === undefined) throw new UnfitWrite('not a set of texts');
  return value?.SS;
}
