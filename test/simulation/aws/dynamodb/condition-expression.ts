import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compare, type Item, isSame } from './attribute-values.ts';
import { invalid } from './exceptions.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { Unsupported } from './unsupported.ts';

/** The item, names and values that an expression refers to. */
export interface Context {
  /** `undefined` if there is no item. */
  readonly item: Item | undefined;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

type Holds = Condition['holds'];
type Operand = (context: Context) => AttributeValue | undefined;

export interface Condition {
  readonly holds: (context: Context) => boolean;
  readonly aliases: ReadonlySet<string>;
  /** Attributes that it refers to, by name or alias. */
  readonly names: ReadonlySet<string>;
}

/** The most values that IN accepts. */
const MOST_MEMBERS = 100;

const parsed = new Map<string, Condition>();

/** @throws {Unsupported} for syntax that is not implemented; nothing is ignored */
export function parseCondition(text: string): Condition {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const tokens = tokensOf(text);
  const condition = { holds: parseOr(tokens), aliases: tokens.aliases, names: tokens.names };
  tokens.expectEnd();
  parsed.set(text, condition);
  return condition;
}

function parseOr(tokens: Tokens): Holds {
  const alternatives = [parseAnd(tokens)];
  while (tokens.take('OR')) alternatives.push(parseAnd(tokens));
  return (context) => alternatives.some((holds) => holds(context));
}

function parseAnd(tokens: Tokens): Holds {
  const conjuncts = [parseNot(tokens)];
  while (tokens.take('AND')) conjuncts.push(parseNot(tokens));
  return (context) => conjuncts.every((holds) => holds(context));
}

function parseNot(tokens: Tokens): Holds {
  if (tokens.take('NOT')) {
    const holds = parseNot(tokens);
    return (context) => !holds(context);
  }
  if (!tokens.take('(')) return parsePredicate(tokens);
  const holds = parseOr(tokens);
  tokens.expect(')');
  return holds;
}

const functions: Readonly<Record<string, (tokens: Tokens) => Holds>> = {
  attribute_exists: (tokens) => {
    const attribute = parsePath(tokens);
    return (context) => attribute(context) !== undefined;
  },
  attribute_not_exists: (tokens) => {
    const attribute = parsePath(tokens);
    return (context) => attribute(context) === undefined;
  },
  begins_with: (tokens) => {
    const attribute = parsePath(tokens);
    tokens.expect(',');
    const start = parseOperand(tokens);
    return (context) => {
      const text = start(context)?.S;
      if (text === undefined) throw invalid('begins_with: incorrect operand type');
      return attribute(context)?.S?.startsWith(text) ?? false;
    };
  },
};

function parsePredicate(tokens: Tokens): Holds {
  const call = functions[tokens.peek() ?? ''];
  if (call === undefined) return parseComparison(tokens);
  tokens.take(tokens.peek()?.toUpperCase() ?? '');
  tokens.expect('(');
  const holds = call(tokens);
  tokens.expect(')');
  return holds;
}

function parseComparison(tokens: Tokens): Holds {
  const left = parseOperand(tokens);
  if (tokens.take('IN')) {
    const members = parseList(tokens);
    if (members.length > MOST_MEMBERS) throw invalid(`IN takes at most ${MOST_MEMBERS} values`);
    return (context) => members.some((member) => isEqual(left(context), member(context)));
  }
  if (tokens.take('BETWEEN')) {
    const low = parseOperand(tokens);
    tokens.expect('AND');
    const high = parseOperand(tokens);
    return (context) => {
      if (order(low, high, context) > 0) throw invalid('BETWEEN: the upper bound is less than the lower bound');
      return order(left, low, context) >= 0 && order(left, high, context) <= 0;
    };
  }
  const operator = ['=', '<>', '<=', '>=', '<', '>'].find((one) => tokens.take(one));
  const right = parseOperand(tokens);
  switch (operator) {
    case '=':
      return (context) => isEqual(left(context), right(context));
    case '<>':
      return (context) => !isEqual(left(context), right(context));
    case '<':
      return (context) => order(left, right, context) < 0;
    case '<=':
      return (context) => order(left, right, context) <= 0;
    case '>':
      return (context) => order(left, right, context) > 0;
    case '>=':
      return (context) => order(left, right, context) >= 0;
    default:
      throw new Unsupported(`${tokens.peek()} after an operand`);
  }
}

function parseList(tokens: Tokens): readonly Operand[] {
  tokens.expect('(');
  const members = [parseOperand(tokens)];
  while (tokens.take(',')) members.push(parseOperand(tokens));
  tokens.expect(')');
  return members;
}

export function parseOperand(tokens: Tokens): Operand {
  if (tokens.take('SIZE')) {
    tokens.expect('(');
    const attribute = parsePath(tokens);
    tokens.expect(')');
    return (context) => membersOf(attribute(context));
  }
  if (!tokens.peek()?.startsWith(':')) return parsePath(tokens);
  const alias = tokens.value();
  return ({ values }) => values[alias];
}

function membersOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (value === undefined) return;
  if (value.L === undefined) throw new Unsupported('The size of what is no list');
  return { N: String(value.L.length) };
}

/** Parses the name of a top-level attribute; the service uses no paths into attributes. */
function parsePath(tokens: Tokens): Operand {
  const name = tokens.name();
  return ({ item, names }) => item?.[names[name] ?? name];
}

function isEqual(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  return one !== undefined && other !== undefined && isSame(one, other);
}

/** Returns NaN, for which every comparison is false, if the values have no order. */
function order(left: Operand, right: Operand, context: Context): number {
  const [one, other] = [left(context), right(context)];
  return one === undefined || other === undefined ? Number.NaN : (compare(one, other) ?? Number.NaN);
}
