import { type EdgeCase, INVALID, KB, key, query, queryOfA, queryOfIndex, sized, x } from './edge-case.ts';

export const queries: readonly EdgeCase[] = [
  { title: 'a query by the sort key alone', send: query('sort = :x', x), aws: INVALID },
  { title: 'a query with a range of the partition key', send: query('id > :x', x), aws: INVALID },
  { title: 'a query with two conditions of one key', send: query('id = :x AND id = :x', x), aws: INVALID },
  { title: 'a query by what is no key', send: query('id = :x AND y = :x', x), aws: INVALID },
  {
    title: 'a query with BETWEEN and the bounds exchanged',
    send: query('id = :x AND sort BETWEEN :y AND :x', { ...x, ':y': { S: 'y' } }),
    aws: INVALID,
  },
  { title: 'a query for an empty key', send: query('id = :x', { ':x': { S: '' } }), aws: INVALID },
  { title: 'a query for a key of another type', send: query('id = :x', { ':x': { N: '1' } }), aws: INVALID },
  { title: 'a query of no items', send: queryOfA({ Limit: 0 }), aws: INVALID },
  { title: 'a query of an index that is not there', send: queryOfIndex({ IndexName: 'byNothing' }), aws: INVALID },
  { title: 'a consistent query of an index', send: queryOfIndex({ ConsistentRead: true }), aws: INVALID },
  {
    title: 'a filter of a key',
    send: query('id = :x', x, { FilterExpression: 'sort = :x' }),
    aws: INVALID,
    local: '0 items',
  },
  {
    title: 'a page that ends with the last item',
    items: [key('a')],
    send: queryOfA({ Limit: 1 }),
    aws: '1 items, and a last key',
  },
  {
    title: 'a page of more than 1 MB',
    items: ['1', '2', '3'].map((sort) => ({ ...sized(399 * KB), sort: { S: sort } })),
    send: queryOfA({}),
    aws: '2 items, and a last key',
  },
  { title: 'a start key', send: queryOfA({ ExclusiveStartKey: key('a') }), aws: '0 items' },
  { title: 'a start key that is not whole', send: queryOfA({ ExclusiveStartKey: { id: { S: 'a' } } }), aws: INVALID },
  {
    title: 'a start key with more than the key',
    send: queryOfA({ ExclusiveStartKey: { ...key('a'), y: { S: 'y' } } }),
    aws: INVALID,
    local: '0 items',
  },
  {
    title: 'a start key of another type',
    send: queryOfA({ ExclusiveStartKey: { ...key('a'), sort: { N: '1' } } }),
    aws: INVALID,
    local: '0 items',
  },
  {
    title: 'an empty start key',
    send: queryOfA({ ExclusiveStartKey: { ...key('a'), sort: { S: '' } } }),
    aws: INVALID,
    local: '0 items',
  },
  { title: 'a start key of another partition', send: queryOfA({ ExclusiveStartKey: key('b') }), aws: INVALID },
  {
    title: 'a start key outside of the range',
    send: query('id = :x AND sort > :x', x, { ExclusiveStartKey: key('x', 'a') }),
    aws: INVALID,
  },
  {
    title: 'a start key of an index without the index’s key',
    send: queryOfIndex({ ExclusiveStartKey: key('a') }),
    aws: INVALID,
  },
];
