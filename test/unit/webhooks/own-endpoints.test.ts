import { describe, expect, test } from 'vitest';
import { type Stage, stageNamed } from '#infra/stage/stages.ts';
import type { DeliveryLane } from '#shared/webhooks/store/delivery-slots.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { type DeliveryWorld, deliveryWorld } from '#test/support/delivery-world.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { WEBHOOK } from '#test/support/ids.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

/** Milliseconds. */
const TICK = 50;
const ANSWER = 100;
const CALL = 15_000;

/** A call of an endpoint; `at` and `endedAt` are milliseconds after the beginning. */
interface Call {
  readonly url: string;
  readonly eventId: string;
  readonly at: number;
  endedAt?: number;
}

/** What an endpoint does with its call of that number, from 1 on. */
type Endpoint = (nth: number) => 'answers' | 'hangs';

const answers: Endpoint = () => 'answers';
const hangs: Endpoint = () => 'hangs';

interface Played {
  readonly stage: Stage['name'];
  readonly seed: number;
  readonly endpoints: readonly Endpoint[];
  /** Milliseconds from one event to the next. */
  readonly every: number;
  readonly events: number;
  /** Prepares the world before it begins. */
  readonly before?: (world: DeliveryWorld) => void;
}

/**
 * Plays the calls of one client's endpoints, each with its duration, on queues with as many consumers as the stage has.
 * A queue hands out its due messages in random order.
 */
async function played({ stage, seed, endpoints, every, events, before }: Played): Promise<readonly Call[]> {
  const { first, retries } = stageNamed(stage).deliverySlots;
  const random = seeded(seed);
  const roll = () => random.next();
  const webhooks = endpoints.map((_, number) =>
    webhookOf({
      webhookId: WEBHOOK.replace(/^5{2}/, String(number + 10)),
      url: `https://hooks.example.com/${number}`,
    }),
  );
  const world = deliveryWorld({ answer: () => ({}), shares: { first, retries }, random: roll }, ...webhooks);
  before?.(world);
  const start = world.clock.now().getTime();
  const now = () => world.clock.now().getTime() - start;
  const calls: Call[] = [];
  world.steps.sendEvent = async ({ url }, { eventId }) => {
    const call: Call = { url, eventId, at: now() };
    calls.push(call);
    const endpoint = endpoints[Number(url.split('/').at(-1))] ?? hangs;
    const isAnswered = endpoint(calls.filter((other) => other.url === url).length) === 'answers';
    const [durationMs, at] = [isAnswered ? ANSWER : CALL, world.clock.now().toISOString()];
    await new Promise<void>((resolve) => void world.clock.after(durationMs, resolve));
    call.endedAt = now();
    return { at, durationMs, ...(isAnswered ? { statusCode: 200 } : { error: 'TIMEOUT' as const }) };
  };
  const busy: Record<DeliveryLane, number> = { first: 0, retries: 0 };
  const consume = (lane: DeliveryLane, most: number) => {
    const due = world.queued.filter(({ queue, at }) => queue === lane && at <= world.clock.now().getTime());
    for (; due.length > 0 && busy[lane] < most; busy[lane] += 1) {
      const [message] = due.splice(Math.floor(roll() * due.length), 1);
      if (message === undefined) return;
      world.queued.splice(world.queued.indexOf(message), 1);
      void world.deliver(JSON.parse(message.body), lane).finally(() => {
        busy[lane] -= 1;
      });
    }
  };
  for (let put = 0; now() < every * events + 60_000; world.clock.advance(TICK / 1000)) {
    if (put < events && now() >= put * every) {
      const event = eventOf(eventNo(put), { occurredAt: world.clock.now().toISOString() });
      world.events.put(event);
      await world.fanOut(event);
      put += 1;
    }
    consume('first', first.all);
    consume('retries', retries.all);
    // Lets everything finish that does not wait for the clock.
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
  }
  return calls;
}

/** Milliseconds from each event to the webhook's first call with it; `Infinity` where that call comes too late. */
function lags(calls: readonly Call[], webhook: number, { every, events }: Pick<Played, 'every' | 'events'>) {
  const own = calls.filter(({ url }) => url.endsWith(`/${webhook}`));
  return Array.from({ length: events }, (_, event) => {
    const at = own.find(({ eventId }) => eventId === eventNo(event))?.at ?? Number.POSITIVE_INFINITY;
    return { put: event * every, lag: at - event * every };
  });
}

/** When every endpoint has been called once, and those calls have ended. */
const firstCallsEnd = (calls: readonly Call[], webhooks: number) =>
  Math.max(
    ...Array.from({ length: webhooks }, (_, webhook) => {
      const [first] = calls.filter(({ url }) => url.endsWith(`/${webhook}`));
      return first?.endedAt ?? Number.POSITIVE_INFINITY;
    }),
  );

const most = (found: readonly { readonly lag: number }[]) => Math.max(...found.map(({ lag }) => lag));

/** Milliseconds, for machines that are busy: minutes of many deliveries are played. */
const timeout = 120_000;

describe("decisions 7, a client's own endpoints: three that hang beside one that answers", { timeout }, () => {
  const endpoints = [hangs, hangs, answers, hangs];

  test.each([
    { stage: 'local', every: 250, events: 240 },
    { stage: 'local', every: 5000, events: 12 },
    { stage: 'prod', every: 250, events: 240 },
  ] as const)(
    'in $stage, an event every $every ms: it is told within 2 s, and of the first within a time-out',
    async (rhythm) => {
      for (const seed of [1, 2, 3, 4]) {
        const calls = await played({ ...rhythm, seed, endpoints });
        const told = lags(calls, 2, rhythm);
        const [first] = calls.filter(({ url }) => url.endsWith('/2'));
        expect(first?.at).toBeLessThanOrEqual(CALL);
        const later = told.filter(({ put }) => put > firstCallsEnd(calls, endpoints.length));
        expect(later.length).toBeGreaterThan(3);
        expect(most(later)).toBeLessThanOrEqual(2000);
        // Nothing of what came before is lost.
        expect(most(told)).toBeLessThanOrEqual(60_000);
      }
    },
  );

  test('a webhook that is added while they hang is told of its first event at once', async () => {
    const rhythm = { every: 1000, events: 60 };
    let registered = false;
    const calls = await played({
      ...rhythm,
      stage: 'local',
      seed: 1,
      endpoints: [hangs, hangs, answers, hangs, answers],
      before: ({ steps, clock }) => {
        const { list } = steps;
        const from = clock.now().getTime() + 40_000;
        steps.list = async (clientId) => {
          registered = clock.now().getTime() >= from;
          const { webhooks, ...rest } = await list(clientId);
          return { ...rest, webhooks: webhooks.filter(({ url }) => registered || !url.endsWith('/4')) };
        };
      },
    });
    const told = lags(calls, 4, rhythm).filter(({ put }) => put >= 40_000);
    expect(most(told)).toBeLessThanOrEqual(2000);
  });
});

describe("decisions 7, a client's own endpoints: when it is worse", { timeout }, () => {
  test.each([
    { stage: 'local', before: 60_000 },
    { stage: 'prod', before: CALL },
  ] as const)(
    'three endpoints that answer and hang in turn: once each of them has hung, another is told within 2 s, in $stage',
    async ({ stage, before }) => {
      for (const seed of [1, 2, 3]) {
        const rhythm = { every: 1000, events: 120 };
        const inTurn: Endpoint = (nth) => (nth % 2 === 0 ? 'hangs' : 'answers');
        const calls = await played({ ...rhythm, stage, seed, endpoints: [inTurn, answers, inTurn, inTurn] });
        const told = lags(calls, 1, rhythm);
        expect(most(told.filter(({ put }) => put >= 60_000))).toBeLessThanOrEqual(2000);
        expect(most(told)).toBeLessThan(before);
      }
    },
  );
});
