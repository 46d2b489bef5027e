import { describe, expect, test } from 'vitest';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { changeKey, eventIdOf, eventSubject, externalEventId, parseEventId } from '#shared/events/service-event.ts';
import { CLIENT, WALLET as DEPOSIT, OPERATION } from '#test/support/ids.ts';

const ofOperation = eventSubject('operation', OPERATION);
const CHANGED = 'ramp.operation.status_changed';

/** Keys that differ in one thing each, and the ids that other services could choose to look like one of them. */
const own = [
  changeKey(ofOperation, CHANGED, undefined, 1),
  changeKey(ofOperation, CHANGED, undefined, 2),
  changeKey(ofOperation, CHANGED, undefined, 4_294_967_295),
  changeKey(ofOperation, 'ramp.deposit_hash.status_changed', undefined, 1),
  changeKey(ofOperation, CHANGED, DEPOSIT, 1),
  changeKey(ofOperation, CHANGED, OPERATION, 1),
  changeKey(eventSubject('payin', OPERATION), CHANGED, undefined, 1),
  changeKey(eventSubject('client', OPERATION), CHANGED, undefined, 1),
  changeKey(eventSubject('operation', CLIENT), CHANGED, undefined, 1),
];
const ownIds = own.map(eventIdOf);
const given = ['a', 'wt_8161', '_a', 'x'.repeat(100), ...ownIds];

describe('decisions 7, payload: the id of an event', () => {
  test.each(publishedEvents.map(eventTypeOf).filter((type) => !type.startsWith('webhook.')))(
    'of %s is short enough for every header and every line of a log, and finds it',
    (type) => {
      const key = changeKey(ofOperation, type, DEPOSIT, 12);
      expect(eventIdOf(key)).toMatch(/^evt_[A-Za-z0-9_-]{1,96}$/);
      expect(parseEventId(eventIdOf(key))).toEqual(key);
    },
  );

  test('is never that of another change, subject, source or id of a source, and always the same of one', () => {
    const ids = [
      ...ownIds,
      ...['partner.demo', 'partner.dem', 'partner.demo#a'].flatMap((source) =>
        given.map((id) => externalEventId(source, id)),
      ),
    ];
    const keys = ids.map((id) => parseEventId(id));
    expect(keys.slice(0, own.length)).toEqual(own);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[A-Za-z0-9_-]{1,128}$/.test(id))).toEqual([]);
    expect(externalEventId('partner.demo', 'a')).toBe(ids[own.length]);
  });

  test('of another service is in a part of the table where none of our events is', () => {
    const keys = given.map((id) => parseEventId(externalEventId('partner.demo', id)));
    expect(keys.filter((key) => key?.subject.startsWith('other#') !== true)).toEqual([]);
  });

  test('in another spelling, or of nothing, is not valid', () => {
    const [id = ''] = ownIds;
    const other = externalEventId('partner.demo', 'a');
    const spellings = ['', 'evt_', `${id} `, `${id}A`, `${id}==`, id.slice(0, -1), id.slice(4), id.toUpperCase()];
    const bytes = Buffer.from(id.slice(4), 'base64url');
    const altered = [0, 1, 21, bytes.length - 1].map((place) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(place === 0 ? 6 : place === 1 ? 0xff : 0x00, place);
      return `evt_${copy.toString('base64url')}`;
    });
    const none = [...spellings, ...altered.filter((_, place) => place !== 1), `test_${OPERATION}`, `evt_${OPERATION}`];
    const others = [other.replace('ext_', 'evt_'), other.slice(0, -2), `${other}.`, `${other}${'x'.repeat(100)}`];
    // The last character of the source stands for four bits that are always 0.
    const tag = `${other.slice(0, 25)}${other.charAt(25) === 'B' ? 'C' : 'B'}${other.slice(26)}`;
    expect([...none, ...others, tag].filter((one) => parseEventId(one) !== undefined)).toEqual([]);
  });

  test.each([
    ['an id in capitals', 'operation#ABCDEF00-0000-4000-8000-000000000000', `${CHANGED}##0000000001`],
    ['no sequence', ofOperation, `${CHANGED}##0000000000`],
    ['a sequence that is too large', ofOperation, `${CHANGED}##9999999999`],
    ['another length of it', ofOperation, `${CHANGED}##1`],
    ['a type that is none', ofOperation, 'changed##0000000001'],
    ['a subject that is none', `wallet#${OPERATION}`, `${CHANGED}##0000000001`],
    ['a source without its id', 'other#AAAAAAAAAAAAAAAAAAAAAA', 'EVENT'],
  ])('is refused to a key with %s: another one would have the same', (_, subject, change) => {
    expect(() => eventIdOf({ subject, change })).toThrow(RangeError);
  });
});
