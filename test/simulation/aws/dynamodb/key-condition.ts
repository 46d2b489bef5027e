import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Context } from './condition-expression.ts';
import { invalid } from './exceptions.ts';
import { compareTexts, firstThat, type Place } from './sorted.ts';
import type { Source } from './source.ts';
import { tokensOf } from './tokens.ts';
import { Unsupported } from './unsupported.ts';

interface Clause {
  /** An attribute's name or alias. */
  readonly name: string;
  readonly operator: string;
  /** Aliases of values. */
  readonly values: readonly string[];
}

export interface KeyCondition {
  readonly clauses: readonly Clause[];
  readonly aliases: ReadonlySet<string>;
}

/** The wanted entries of a partition. */
export interface Range {
  readonly partition: string;
  /** `undefined` if all entries are wanted. */
  readonly operator: string | undefined;
  readonly value: string;
  /** The upper bound of BETWEEN. */
  readonly upper: string;
}

const OPERATORS = ['=', '<=', '>=', '<', '>'];

const parsed = new Map<string, KeyCondition>();

/** @throws {Unsupported} for syntax that is not implemented; nothing is ignored */
export function parseKeyCondition(text: string): KeyCondition {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const tokens = tokensOf(text);
  const clauses: Clause[] = [];
  do {
    if (tokens.take('BEGINS_WITH')) {
      tokens.expect('(');
      const name = tokens.name();
      tokens.expect(',');
      clauses.push({ name, operator: 'begins_with', values: [tokens.value()] });
      tokens.expect(')');
      continue;
    }
    const name = tokens.name();
    if (tokens.take('BETWEEN')) {
      const low = tokens.value();
      tokens.expect('AND');
      clauses.push({ name, operator: 'BETWEEN', values: [low, tokens.value()] });
      continue;
    }
    const operator = OPERATORS.find((one) => tokens.take(one));
    if (operator === undefined) throw new Unsupported(`${tokens.peek()} in ${text}`);
    clauses.push({ name, operator, values: [tokens.value()] });
  } while (tokens.take('AND'));
  tokens.expectEnd();
  const condition = { clauses, aliases: tokens.aliases };
  parsed.set(text, condition);
  return condition;
}

/** @throws ValidationException if it names other attributes than the keys, or lacks the partition */
export function rangeOf({ clauses }: KeyCondition, source: Source, context: Context): Range {
  let partition: string | undefined;
  let range: Omit<Range, 'partition'> = { operator: undefined, value: '', upper: '' };
  for (const { name, operator, values } of clauses) {
    const attribute = context.names[name] ?? name;
    const [value = '', upper = ''] = values.map((alias) => keyValue(context.values[alias]));
    if (attribute === source.partitionName && operator === '=' && partition === undefined) partition = value;
    else if (attribute === source.sortName && range.operator === undefined) range = { operator, value, upper };
    else throw invalid(`Query key condition not supported: ${attribute} ${operator}`);
  }
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${source.partitionName}`);
  if (range.operator === 'BETWEEN' && compareTexts(range.value, range.upper) > 0) {
    throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
  return { partition, ...range };
}

/** Returns the position of the first wanted entry, and the one after the last. */
export function boundsIn(entries: readonly Place[], { operator, value, upper }: Range): readonly [number, number] {
  switch (operator) {
    case undefined:
      return [0, entries.length];
    case '=':
      return [notBelow(value, entries), above(value, entries)];
    case '<':
      return [0, notBelow(value, entries)];
    case '<=':
      return [0, above(value, entries)];
    case '>':
      return [above(value, entries), entries.length];
    case '>=':
      return [notBelow(value, entries), entries.length];
    case 'BETWEEN':
      return [notBelow(value, entries), above(upper, entries)];
    case 'begins_with':
      return [
        notBelow(value, entries),
        firstThat(entries, ({ sort }) => compareTexts(sort, value) > 0 && !sort.startsWith(value)),
      ];
    default:
      throw new Unsupported(operator);
  }
}

function keyValue(value: AttributeValue | undefined): string {
  if (value?.S === undefined) throw invalid('Condition parameter type does not match schema type');
  if (value.S === '') throw invalid('The value of a key cannot be an empty string');
  return value.S;
}

function notBelow(bound: string, entries: readonly Place[]): number {
  return firstThat(entries, ({ sort }) => compareTexts(sort, bound) >= 0);
}

function above(bound: string, entries: readonly Place[]): number {
  return firstThat(entries, ({ sort }) => compareTexts(sort, bound) > 0);
}
