import fc from 'fast-check';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';

/** Expressions of every form that the table in memory knows, sensible and not. */

const NAMES: Readonly<Record<string, string>> = {
  '#n': 'number',
  '#t': 'text',
  '#l': 'list',
  '#s': 'set',
  '#g': 'group',
  '#r': 'rank',
};

const VALUES: Item = {
  ':one': { N: '1' },
  ':more': { N: '2.5' },
  ':x': { S: 'x' },
  ':xy': { S: 'xy' },
  ':list': { L: [{ N: '1' }, { S: 'x' }] },
  ':set': { SS: ['p', 'q'] },
};

const name = fc.constantFrom(...Object.keys(NAMES));
const value = fc.constantFrom(...Object.keys(VALUES));
const text = fc.constantFrom(':x', ':xy');
const comparable = fc.constantFrom([':one', ':more'], [':x', ':xy']);

const predicate = fc.oneof(
  name.map((one) => `attribute_exists(${one})`),
  name.map((one) => `attribute_not_exists(${one})`),
  fc.tuple(fc.constantFrom('#t', '#g', '#r'), text).map(([one, start]) => `begins_with(${one}, ${start})`),
  fc.tuple(name, fc.constantFrom('=', '<>'), value).map((parts) => parts.join(' ')),
  fc
    .tuple(name, fc.constantFrom('<', '<=', '>', '>='), fc.constantFrom(':one', ':more', ':x', ':xy'))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('=', '<', '>='), fc.constantFrom(':one', ':more', ':x'))
    .map(([is, n]) => `size(#l) ${is} ${n}`),
  fc.tuple(name, comparable).map(([one, [low, high]]) => `${one} BETWEEN ${low} AND ${high}`),
  fc.tuple(name, fc.array(value, { minLength: 1, maxLength: 3 })).map(([one, all]) => `${one} IN (${all.join(', ')})`),
);

export const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    predicate,
    tie('condition').map((one) => `NOT ${one}`),
    fc.tuple(predicate, fc.constantFrom('AND', 'OR'), predicate).map((parts) => `(${parts.join(' ')})`),
    fc.tuple(tie('condition'), tie('condition')).map((both) => both.join(' AND ')),
    fc.tuple(tie('condition'), tie('condition')).map((both) => both.join(' OR ')),
  ),
}));

/** What can be done to each attribute, which keeps its type: whatever fits none is a fault of the service, not of chance. */
const actions = [
  ['SET #n = :one', 'SET #n = if_not_exists(#n, :one) + :more', 'SET #n = if_not_exists(#n, :one) - :more'],
  ['ADD #n :more', 'REMOVE #n'],
  ['SET #t = :x', 'SET #t = if_not_exists(#r, :xy)', 'REMOVE #t'],
  ['SET #l = :list', 'SET #l = list_append(if_not_exists(#l, :list), :list)', 'REMOVE #l'],
  ['SET #s = :set', 'ADD #s :set', 'DELETE #s :set', 'REMOVE #s'],
  ['SET #g = :x', 'SET #g = if_not_exists(#t, :xy)', 'REMOVE #g'],
  ['SET #r = if_not_exists(#t, :x)', 'REMOVE #r'],
].map((all) => fc.constantFrom(...all));

export const update = fc
  .tuple(...actions)
  .chain((all) => fc.subarray(all, { minLength: 1 }))
  .map((chosen) => {
    const targets = new Set<string>();
    const clauses = new Map<string, string[]>();
    for (const action of chosen) {
      const [, keyword = '', what = '', target = ''] = /^(\w+) ((#\w).*)$/.exec(action) ?? [];
      if (targets.has(target)) continue;
      targets.add(target);
      clauses.set(keyword, [...(clauses.get(keyword) ?? []), what]);
    }
    return [...clauses].map(([keyword, parts]) => `${keyword} ${parts.join(', ')}`).join(' ');
  });

/** A request with just the aliases that its expressions use. */
export function withAliases<Request extends { ConditionExpression?: string; UpdateExpression?: string }>(
  request: Request,
) {
  const used = new Set(`${request.ConditionExpression} ${request.UpdateExpression}`.match(/[#:]\w+/g));
  const names = Object.entries(NAMES).filter(([alias]) => used.has(alias));
  const values = Object.entries(VALUES).filter(([alias]) => used.has(alias));
  return {
    ...request,
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  };
}
