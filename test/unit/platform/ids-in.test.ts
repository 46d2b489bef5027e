import { expect, test } from 'vitest';
import { idsIn } from '#shared/platform/ids.ts';

const OPERATION = '33333333-3333-4333-8333-333333333333';

test.each([
  ['a message', { operationId: OPERATION, status: 'PENDING' }],
  ['an event of the bus', { source: 'x', detail: { operationId: OPERATION } }],
  ['an event beside which a rule has put something', { event: { detail: { operationId: OPERATION } }, at: 1 }],
  ['an event for clients', { type: 'x', data: { operationId: OPERATION } }],
])('the ids that %s names are told', (_, message) => {
  expect(idsIn(JSON.stringify(message))).toEqual({ operationId: OPERATION });
});

test('the number of a document is not told, whatever another service calls it', () => {
  const detail = { eventId: 'evt-17', documentId: '1020304050', passportId: 'AB1234567', userId: OPERATION };
  expect(idsIn(JSON.stringify({ detail }))).toEqual({ eventId: 'evt-17', userId: OPERATION });
});

test('text that is no JSON has no ids; of many ids, ten are told', () => {
  expect(idsIn('no JSON')).toEqual({});
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}Id`, OPERATION]));
  expect(Object.keys(idsIn(JSON.stringify(many)))).toHaveLength(10);
});
