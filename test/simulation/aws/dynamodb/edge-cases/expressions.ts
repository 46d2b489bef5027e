import { type EdgeCase, INVALID, key, transaction, update, updateLeg, when, x } from './edge-case.ts';

export const expressions: readonly EdgeCase[] = [
  { title: 'a name that is reserved', send: update('SET status = :x', x), aws: INVALID },
  { title: 'a reserved name in a condition', send: when('attribute_not_exists(token)'), aws: INVALID },
  { title: 'a value that is not given', send: update('SET y = :y', x), aws: INVALID },
  { title: 'a value that is not used', send: update('SET y = :x', { ...x, ':z': { S: 'z' } }), aws: INVALID },
  { title: 'no values, given all the same', send: update('REMOVE y', {}), aws: INVALID },
  {
    title: 'no names, given all the same',
    send: update('SET y = :x', x, { ExpressionAttributeNames: {} }),
    aws: INVALID,
  },
  { title: 'an empty update', send: update('', {}), aws: INVALID },
  { title: 'one attribute twice', send: update('SET y = :x REMOVE y', x), aws: INVALID, local: 'done' },
  {
    title: 'the sum with what is not there',
    send: update('SET y = y + :one', { ':one': { N: '1' } }),
    aws: INVALID,
  },
  {
    title: 'the sum in a transaction',
    send: transaction(updateLeg('SET y = y + :one', { ':one': { N: '1' } })),
    aws: 'ValidationError',
  },
  {
    title: 'a sum with a text',
    send: update('SET y = y + :one', { ':one': { N: '1' } }),
    items: [{ ...key('a'), y: { S: 'x' } }],
    aws: INVALID,
    local: 'done',
  },
  {
    title: 'the beginning of a number',
    send: when('begins_with(y, :one)', { ':one': { N: '1' } }),
    aws: INVALID,
    local: 'ConditionalCheckFailedException',
  },
  {
    title: 'BETWEEN with the bounds exchanged',
    send: when('y BETWEEN :y AND :x', { ...x, ':y': { S: 'y' } }),
    aws: INVALID,
  },
];
