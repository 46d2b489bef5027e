import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { lostAfter } from '#shared/platform/dynamodb/due-queue.ts';
import { createSlots, type Slot } from '#shared/platform/dynamodb/slots.ts';
import { type Delivery, deliveryTrigger, newDelivery } from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import {
  type ClaimedDelivery,
  createDeliveryClaims,
  type DeliveryClaims,
} from '#shared/webhooks/store/delivery-claims.ts';
import { createDeliveryQueue, type DeliveryQueue } from '#shared/webhooks/store/delivery-queue.ts';
import { createDeliveryRepository, type Deliveries } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { REFUSED, TAKEN } from '#test/support/called.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

interface Table extends Deliveries, DeliveryQueue, DeliveryClaims {}

interface State {
  /** Milliseconds since 1970. */
  now: number;
  held: ClaimedDelivery | undefined;
}

/** A step that somebody takes, and what it answers. */
type Step = (table: Table, delivery: Delivery, state: State) => Promise<unknown>;

// Nothing is due so late that the deployed sweep would take part.
const START = Date.now() + 24 * 3600 * 1000;
const seconds = fc.constantFrom(-400, -60, -2, -0.001, 0, 0.001, 2, 3, 60, 400);
const at = ({ now }: State, offset: number) => new Date(now + offset * 1000);
const instant = (state: State, offset: number) => at(state, offset).toISOString();

const outcome = fc.oneof(
  fc.constant((): AttemptOutcome => ({ status: 'DELIVERED' })),
  fc.constant((): AttemptOutcome => ({ status: 'FAILED', reason: 'EXHAUSTED' })),
  seconds.map(
    (offset) =>
      (state: State): AttemptOutcome => ({ status: 'PENDING', nextAttemptAt: instant(state, offset) }),
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  seconds.map<Step>((due) => (table, delivery, state) => table.create(delivery, instant(state, due), at(state, 0))),
  fc.constantFrom(0.001, 1, 60, 61, 400).map<Step>((passed) => async (_, __, state) => {
    state.now += passed * 1000;
  }),
  fc
    .tuple(fc.constantFrom(1, 1, 1, 2, 3), fc.constantFrom('one', 'other'))
    .map<Step>(([attempt, token]) => async (table, { deliveryId }, state) => {
      const claim = await table.claim(deliveryId, attempt, token, at(state, 0));
      if (claim.state === 'CLAIMED') state.held = claim.delivery;
      return claim;
    }),
  fc.tuple(outcome, fc.boolean()).map<Step>(([verdictAt, isDue]) => async (table, _, state) => {
    const made = { at: instant(state, 0), statusCode: 500, durationMs: 1 };
    const due = { now: at(state, 0), ...(isDue && { dueAt: instant(state, 60) }) };
    return state.held && table.finish(state.held, made, verdictAt(state), due);
  }),
  seconds.map<Step>((offset) => async (table, _, state) => {
    return state.held && table.reschedule(state.held, instant(state, offset), instant(state, offset + 300));
  }),
  fc.constantFrom('FAILED', 'CANCELLED').map<Step>((status) => async (table, _, { held }) => {
    return held && table.end(held, status, 'INTERNAL');
  }),
  fc
    .tuple(fc.constantFrom(...deliveryTrigger.options), seconds, fc.option(seconds, { nil: undefined }))
    .map<Step>(([trigger, requested, pending]) => (table, { deliveryId }, state) => {
      const unless = pending === undefined ? {} : { unlessPendingSince: instant(state, pending) };
      const request = { trigger, requestedAt: instant(state, requested), dueAt: instant(state, requested), ...unless };
      return table.requeue(deliveryId, request, at(state, 0));
    }),
  fc.tuple(fc.boolean(), seconds).map<Step>(([isSeen, offset]) => async (table, delivery, state) => {
    const { deliveryId } = delivery;
    const seen = isSeen ? await dueAtOf(table, delivery) : instant(state, 0);
    return table.reserve({ deliveryId, dueAt: seen ?? instant(state, 0) }, instant(state, offset));
  }),
);

async function dueAtOf(table: Table, { clientId, deliveryId }: Delivery): Promise<string | undefined> {
  for await (const due of table.dueBefore(clientId, '9')) {
    if (due.deliveryId === deliveryId) return due.dueAt;
  }
  return undefined;
}

/** What every step answered, and how everything stands in the end. */
async function played(table: Table, deliveries: readonly Delivery[], steps: readonly (readonly [number, Step])[]) {
  const states = deliveries.map((): State => ({ now: START, held: undefined }));
  const answers: unknown[] = [];
  for (const [which, take] of steps) {
    const [delivery, state] = [deliveries[which], states[which]];
    if (delivery !== undefined && state !== undefined) answers.push(await take(table, delivery, state));
  }
  const listed: string[] = [];
  for await (const id of table.idsOfWebhook(deliveries[0]?.webhookId ?? '', undefined)) listed.push(id);
  const standing = deliveries.map(async (delivery) => ({
    log: await table.find(delivery.deliveryId, new Date(START)),
    later: await table.find(delivery.deliveryId, new Date(START + 90 * 24 * 3600 * 1000)),
    dueAt: await dueAtOf(table, delivery),
  }));
  return { answers, listed, standing: await Promise.all(standing) };
}

function deployedTable(): Table {
  const { dynamo } = deployedParts();
  const name = inject('stack')['deliveriesTable'] ?? '';
  return Object.assign(
    createDeliveryRepository(dynamo, name),
    createDeliveryQueue(dynamo, name, systemClock),
    createDeliveryClaims(dynamo, name, systemClock),
  );
}

const repeated = (count: number, state: string) => Array.from({ length: count }, () => state);

/** Asks that many at once, each under a name of its own. */
function atOnce<T>(count: number, ask: (token: string) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, () => ask(randomUUID())));
}

test('whatever is done to deliveries, the table in memory of the unit tests answers as the deployed one', async () => {
  const deployed = deployedTable();
  const steps = fc.array(fc.tuple(fc.constantFrom(0, 0, 1), step), { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      // What is due is read client by client: of one of its own there is little.
      const of = { clientId: randomUUID() };
      const webhook = webhookOf({ ...of, webhookId: randomUUID() });
      const deliveries = [0, 1].map((second) =>
        newDelivery(eventOf(`evt_${second}`, of), webhook, 'SCHEDULED', new Date(START + second * 1000)),
      );
      const begun = deliveries.map(
        (_, which) =>
          [
            which,
            (table: Table, one: Delivery) => table.create(one, lostAfter(new Date(START)), new Date(START)),
          ] as const,
      );
      const all = [...begun, ...taken];
      expect(await played(deployed, deliveries, all)).toEqual(await played(deliveriesInMemory(), deliveries, all));
    }),
    { numRuns: 250 },
  );
});

describe('of ten that claim one attempt at once', () => {
  test('one has it, and when its lease is over one of the next ten', async () => {
    const table = deployedTable();
    for (let round = 0; round < 5; round += 1) {
      const delivery = newDelivery(
        eventOf('evt_0'),
        webhookOf({ webhookId: randomUUID() }),
        'SCHEDULED',
        new Date(START),
      );
      await table.create(delivery, lostAfter(new Date(START)), new Date(START));
      // One that holds it may take a minute.
      for (const [seconds, claimed] of [
        [0, 1],
        [60, 0],
        [61, 1],
      ] as const) {
        const now = new Date(START + seconds * 1000);
        const claims = await atOnce(10, (token) => table.claim(delivery.deliveryId, 1, token, now));
        const states = claims.map(({ state }) => state).toSorted();
        expect(states).toEqual([...repeated(claimed, 'CLAIMED'), ...repeated(10 - claimed, 'NOT_TO_MAKE')]);
      }
    }
  });
});

/** Parts on the deployed tables with a clock that only the test moves, so that no time limit or lease ends by it. */
function deployedAt() {
  let now = Date.now();
  const clock: Clock = { ...systemClock, now: () => new Date(now) };
  const { dynamo } = deployedParts();
  const stack = inject('stack');
  return {
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    health: createWebhookHealthRepository(dynamo, stack['webhookHealthTable'] ?? '', clock),
    slots: createSlots(dynamo, stack['slotsTable'] ?? '', clock),
  };
}

describe('decisions 7: of many that ask at once for a slot of one owner', () => {
  const [SHARE, owner] = [4, randomUUID()];
  const { slots, advance } = deployedAt();

  async function asking(count: number): Promise<readonly Slot[]> {
    const asked = await atOnce(count, (token) => slots.acquire(owner, SHARE, token));
    const acquired = asked.flatMap((one) => (one.state === 'ACQUIRED' ? [one.slot] : []));
    expect(asked).toHaveLength(count);
    return acquired;
  }

  test('as many as its share get one, again once they are given back, and once their holders died', async () => {
    const first = await asking(30);
    expect(new Set(first.map(({ slot }) => slot)).size).toBe(SHARE);
    expect(first).toHaveLength(SHARE);
    advance(59);
    expect(await slots.acquire(owner, SHARE, 'late')).toEqual({ state: 'BUSY', heldSeconds: 59 });
    await Promise.all(first.map(slots.release));
    expect(await asking(30)).toHaveLength(SHARE);
    advance(60);
    const third = await asking(30);
    expect(third).toHaveLength(SHARE);
    // Whoever lost its slot takes none away, and an ask that the SDK repeats gets the same one.
    await Promise.all(first.map(slots.release));
    expect(await asking(10)).toEqual([]);
    const [{ token } = { token: '' }] = third;
    expect(await slots.acquire(owner, SHARE, token)).toMatchObject({ state: 'ACQUIRED', slot: { token } });
  });
});

describe('of many that ask at once to call a webhook whose calls failed', () => {
  const webhook = webhookOf({ webhookId: randomUUID() });
  const { health, advance } = deployedAt();

  /** Who was allowed, and what the others were told. */
  async function asking(count: number) {
    const asked = await atOnce(count, async (token) => ({
      token,
      ...(await health.requestAttempt(webhook, token, false)),
    }));
    const allowed = asked.filter(({ state }) => state === 'ALLOWED').map(({ token }) => token);
    return { allowed, others: asked.map(({ state }) => state).filter((state) => state !== 'ALLOWED') };
  }

  test('none are while it is parked, one as a probe afterwards, and all once that one succeeded', async () => {
    const { allowed } = await asking(5);
    // At once, as calls of one endpoint that went down end.
    await Promise.all(allowed.map((token) => health.recordResult(webhook, token, REFUSED)));
    expect(await asking(10)).toEqual({ allowed: [], others: repeated(10, 'CIRCUIT_OPEN') });
    advance(60);
    const probing = await asking(10);
    expect(probing).toEqual({ allowed: [expect.any(String)], others: repeated(9, 'CIRCUIT_OPEN') });
    await health.recordResult(webhook, probing.allowed[0] ?? '', TAKEN);
    expect((await asking(30)).allowed).toHaveLength(30);
  });
});
