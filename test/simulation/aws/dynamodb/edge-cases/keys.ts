import { type EdgeCase, get, INVALID, key, put, RANK, transaction, update, updateLeg, x } from './edge-case.ts';

export const keys: readonly EdgeCase[] = [
  { title: 'a partition key of 2,048 bytes', send: put(key('é'.repeat(1024))), aws: 'done' },
  { title: 'a partition key of 2,049 bytes', send: put(key(`${'é'.repeat(1024)}.`)), aws: INVALID },
  { title: 'a sort key of 1,025 bytes', send: put(key('a', 'x'.repeat(1025))), aws: INVALID },
  { title: 'an empty key', send: put(key('')), aws: INVALID },
  { title: 'a key that is not whole', send: put({ id: { S: 'a' } }), aws: INVALID },
  { title: 'a key of another type', send: put({ ...key('a'), id: { N: '1' } }), aws: INVALID },
  {
    title: 'a key with more than the key',
    send: get({ ...key('a'), text: { S: 'x' } }),
    aws: INVALID,
  },
  { title: 'an empty key of an index', send: put({ ...key('a'), group: { S: '' } }), aws: INVALID },
  { title: 'a key of an index of another type', send: put({ ...key('a'), rank: { N: '1' } }), aws: INVALID },
  {
    title: 'an update to an empty key of an index',
    send: update('SET #rank = :x', { ':x': { S: '' } }, RANK),
    aws: INVALID,
  },
  {
    title: 'an update to a key of an index of another type',
    send: update('SET #rank = :x', { ':x': { N: '1' } }, RANK),
    aws: INVALID,
  },
  {
    title: 'a transaction that makes it of another type',
    send: transaction(updateLeg('SET #rank = :x', { ':x': { N: '1' } }, RANK)),
    aws: 'ValidationError',
  },
  {
    title: 'a key of an index of 2,049 bytes',
    send: put({ ...key('a'), group: { S: 'x'.repeat(2049) } }),
    aws: INVALID,
    local: 'done',
  },
  { title: 'an update of the key', send: update('SET sort = :x', x), aws: INVALID },
];
