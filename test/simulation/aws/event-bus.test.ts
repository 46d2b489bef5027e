import { EventBridgeServiceException, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { RuleShape } from '#test/simulation/topology/topology.ts';
import { ACCOUNT } from '#test/simulation/topology/values.ts';
import { createEventBus } from './event-bus.ts';
import { createTestHost } from './test-host.ts';

const NO_FAULTS = { entryRefusal: 0, duplicate: 0, undelivered: 0, outage: 0, refusal: 0, repeat: 0, loss: 0 };
const DAY = 24 * 3600;

const rules: readonly RuleShape[] = [
  { id: 'Own', pattern: { source: ['own'], account: [ACCOUNT] }, queue: 'OwnQueue', deadLetters: 'OwnDead' },
  {
    id: 'Marked',
    pattern: { source: ['marked'] },
    queue: 'MarkedQueue',
    deadLetters: 'MarkedDead',
    template: '{"at":"<aws.events.event.ingestion-time>","of":<aws.events.event.json>}',
  },
  { id: 'Ends', pattern: { detail: { status: ['END'] } }, queue: 'EndsQueue', deadLetters: 'EndsDead' },
];

const delivered = z.looseObject({ detail: z.looseObject({ n: z.number() }) });

function createBus(faults: Partial<typeof NO_FAULTS> = {}, seed = 1) {
  const host = createTestHost(seed);
  const sent: { queue: string; body: string; at: number }[] = [];
  const queues = { send: (queue: string, body: string) => void sent.push({ queue, body, at: host.seconds() }) };
  const bus = createEventBus(host, rules, queues, { ...NO_FAULTS, ...faults });
  return {
    bus,
    sent,
    /** The numbers of the events in a queue, in the order in which they came. */
    numbersIn: (name: string) =>
      sent.flatMap(({ queue, body }) => (queue === name ? delivered.parse(JSON.parse(body)).detail.n : [])),
    run: () => host.schedule.run(),
    /** Puts the entries in one call; what the caller is told. */
    async put(entries: readonly PutEventsRequestEntry[]) {
      let told: unknown;
      host.schedule.start('caller', async () => {
        told = await bus.answer(new PutEventsCommand({ Entries: [...entries] })).catch((error: unknown) => error);
      });
      await host.schedule.run();
      return told;
    },
  };
}

const entry = (n: number, fields: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  Source: 'own',
  DetailType: 'type',
  Detail: JSON.stringify({ n }),
  ...fields,
});
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the bus', () => {
  test('puts an event into the queue of each rule that it fits, as EventBridge writes it', async () => {
    const { bus, sent, run } = createBus();
    bus.put({ source: 'own', type: 'type', detail: { n: 1, status: 'END' } });
    bus.put({ source: 'other', type: 'type', detail: { n: 2 } });
    await run();
    expect(sent.map(({ queue }) => queue).toSorted()).toEqual(['EndsQueue', 'OwnQueue']);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      version: '0',
      id: expect.any(String),
      'detail-type': 'type',
      source: 'own',
      account: ACCOUNT,
      time: '2026-08-01T12:00:00Z',
      region: 'in-memory-1',
      resources: [],
      detail: { n: 1, status: 'END' },
    });
  });

  test('puts what the template of the rule makes of it into its queue', async () => {
    const { bus, sent, run } = createBus();
    bus.put({ source: 'marked', type: '"<aws.events.rule-name>', detail: { n: 1 } });
    await run();
    expect(sent.map(({ queue, body }) => [queue, JSON.parse(body)])).toMatchObject([
      [
        'MarkedQueue',
        { at: '2026-08-01T12:00:00.000Z', of: { 'detail-type': '"<aws.events.rule-name>', detail: { n: 1 } } },
      ],
    ]);
  });

  test('delivers events in no order', async () => {
    const { bus, numbersIn, run } = createBus();
    for (const n of numbers(10)) bus.put({ source: 'own', type: 'type', detail: { n } });
    await run();
    expect(numbersIn('OwnQueue')).not.toEqual(numbers(10));
    expect(numbersIn('OwnQueue').toSorted()).toEqual(numbers(10));
  });

  test('delivers an event twice by chance, at once or hours later, under the same id', async () => {
    const { bus, sent, run } = createBus({ duplicate: 1 });
    for (const n of numbers(10)) bus.put({ source: 'own', type: 'type', detail: { n } });
    await run();
    expect(sent).toHaveLength(20);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(10);
    expect(Math.max(...sent.map(({ at }) => at))).toBeGreaterThan(12 * 3600);
    expect(sent.filter(({ at }) => at === 0).length).toBeGreaterThan(10);
  });

  test('tries again when a queue does not take an event', async () => {
    const { bus, sent, numbersIn, run } = createBus({ undelivered: 0.5 });
    for (const n of numbers(20)) bus.put({ source: 'own', type: 'type', detail: { n } });
    await run();
    expect(numbersIn('OwnQueue').toSorted((a, b) => a - b)).toEqual(numbers(20));
    expect(sent.some(({ at }) => at > 0)).toBe(true);
  });

  test('delivers an event hours late, or after 24 hours to the dead letters of the rule', async () => {
    const { bus, sent, numbersIn, run } = createBus({ outage: 1 });
    for (const n of numbers(30)) bus.put({ source: 'own', type: 'type', detail: { n } });
    await run();
    expect([...numbersIn('OwnQueue'), ...numbersIn('OwnDead')].toSorted((a, b) => a - b)).toEqual(numbers(30));
    expect(numbersIn('OwnDead').map(String).toSorted()).toEqual(
      bus.undelivered.map((body) => String(delivered.parse(JSON.parse(body)).detail.n)).toSorted(),
    );
    const times = (name: string) => sent.filter(({ queue }) => queue === name).map(({ at }) => at);
    expect(Math.max(...times('OwnQueue'))).toBeGreaterThan(12 * 3600);
    expect(Math.max(...times('OwnQueue'))).toBeLessThan(DAY);
    expect(Math.min(...times('OwnDead'))).toBeGreaterThanOrEqual(DAY);
    expect(Math.max(...times('OwnDead'))).toBeLessThan(DAY + 1000);
  });
});

describe('PutEvents', () => {
  test('answers an id for each entry, in the order of the entries', async () => {
    const { put, numbersIn } = createBus();
    const EventId = expect.any(String);
    expect(await put([entry(0), entry(1)])).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId }, { EventId }] });
    expect(numbersIn('OwnQueue').toSorted()).toEqual([0, 1]);
  });

  test('refuses some entries and takes the others of the same call', async () => {
    const { put, numbersIn } = createBus({ entryRefusal: 0.5 });
    const { Entries } = z
      .object({ Entries: z.array(z.object({ ErrorCode: z.optional(z.string()) })) })
      .parse(await put(numbers(10).map((n) => entry(n))));
    const taken = numbers(10).filter((n) => Entries[n]?.ErrorCode === undefined);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThan(10);
    expect(numbersIn('OwnQueue').toSorted()).toEqual(taken);
  });

  test.each([
    ['has no source', { Source: '' }, 'InvalidArgument'],
    ['has no type', { DetailType: '' }, 'InvalidArgument'],
    ['has a source of AWS', { Source: 'aws.s3' }, 'NotAuthorizedForSourceException'],
    ['is no JSON', { Detail: '{' }, 'MalformedDetail'],
    ['is no object', { Detail: '[1]' }, 'MalformedDetail'],
  ])('refuses an entry that %s, and takes the other one', async (_, fields, ErrorCode) => {
    const { put, numbersIn } = createBus();
    expect(await put([entry(0, fields), entry(1)])).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode }, { EventId: expect.any(String) }],
    });
    expect(numbersIn('OwnQueue')).toEqual([1]);
  });

  test.each([
    ['no entry', []],
    ['more than ten entries', numbers(11).map((n) => entry(n))],
    ['1 MiB and more', numbers(2).map((n) => entry(n, { Detail: JSON.stringify({ n, text: 'x'.repeat(524_288) }) }))],
  ])('fails as a whole with %s', async (_, entries) => {
    const { put, sent } = createBus();
    expect(await put(entries)).toBeInstanceOf(EventBridgeServiceException);
    expect(sent).toEqual([]);
  });

  test('puts events twice, under two ids, when the answer is lost and the SDK sends them again', async () => {
    const { put, sent } = createBus({ repeat: 1 });
    await put([entry(0)]);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.body).not.toBe(sent[1]?.body);
  });

  test('has taken the events, although the caller never hears of it', async () => {
    const { put, sent } = createBus({ loss: 1 });
    expect(await put([entry(0)])).toMatchObject({ name: 'TimeoutError' });
    expect(sent).toHaveLength(1);
  });

  test('takes nothing when the call fails', async () => {
    const { put, sent } = createBus({ refusal: 1 });
    expect(await put([entry(0)])).toMatchObject({ name: 'InternalException' });
    expect(sent).toEqual([]);
  });
});
