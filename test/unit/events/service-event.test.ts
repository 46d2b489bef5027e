import { expect, test } from 'vitest';
import { newServiceEvent, processOf } from '#shared/events/service-event.ts';
import { CLIENT } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const MOST_BYTES = 64 * 1024;
const WHAT = { eventId: 'event-1', clientId: CLIENT, type: 'ramp.payin.status_changed', occurredAt: CREATED_AT };

/** Length in bytes of the body of an event with this text. */
const bytesWith = (text: string) => Buffer.byteLength(newServiceEvent(WHAT, { text }).body);

test('the body of an event has its type, its time and its data, in the bytes that receivers verify', () => {
  const event = newServiceEvent(WHAT, { status: 'PAID' });
  expect(event).toEqual({ ...WHAT, body: expect.any(String) });
  expect(JSON.parse(event.body)).toEqual({ type: WHAT.type, timestamp: CREATED_AT, data: { status: 'PAID' } });
});

test('an event has at most 64 KiB, counted in bytes, and a larger one is an error before anything is written', () => {
  const room = MOST_BYTES - bytesWith('');
  expect(bytesWith('x'.repeat(room))).toBe(MOST_BYTES);
  expect(() => bytesWith('x'.repeat(room + 1))).toThrow('event-1');
  expect(() => bytesWith('é'.repeat(room / 2 + 1))).toThrow('event-1');
});

test.each([
  ['compliance.client.status_changed', 'compliance'],
  ['ramp.deposit_hash.window_ended', 'ramp'],
])('the process of %s is %s', (type, process) => {
  expect(processOf(type)).toBe(process);
});
