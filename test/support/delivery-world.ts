import {
  createConcludeAttempt,
  createConcludeCall,
  createDeactivateWebhook,
  createNextAttempts,
} from '#functions/webhooks/deliver-webhook/conclude-attempt.ts';
import { deliverWebhook } from '#functions/webhooks/deliver-webhook/deliver-webhook.ts';
import { fanOutEvent } from '#functions/webhooks/fan-out-event/fan-out-event.ts';
import { releaseDueDeliveries } from '#functions/webhooks/release-due-deliveries/release-due-deliveries.ts';
import { OWN_SOURCE, queuedEvent } from '#shared/events/notified-events.ts';
import type { ServiceEvent } from '#shared/events/service-event.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { Attempt, SendEvent } from '#shared/webhooks/http-client/send-event.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { createDeliverySlots, type DeliveryLane, type DeliveryShares } from '#shared/webhooks/store/delivery-slots.ts';
import { deliveriesInMemory } from './deliveries-in-memory.ts';
import { eventsInMemory } from './events-in-memory.ts';
import { fakeClock } from './fake-clock.ts';
import { healthInMemory } from './health-in-memory.ts';
import { slotsInMemory } from './slots-in-memory.ts';
import { webhooksInMemory } from './webhooks-in-memory.ts';

export const START = '2026-11-21T12:00:00.000Z';

/** A call as it reached an endpoint. */
export interface Sent {
  /** Seconds since the start. */
  readonly at: number;
  readonly url: string;
  readonly eventId: string;
  readonly body: string;
}

interface Queued {
  readonly queue: DeliveryLane;
  readonly body: string;
  readonly at: number;
  readonly receives: number;
}

interface Endpoint {
  /** The endpoint's answer to a call; `nth` counts the calls from 1. */
  readonly answer: (sent: Sent, nth: number) => Partial<Attempt>;
  /** `SHARES` when not given. */
  readonly shares?: DeliveryShares;
  readonly random?: () => number;
}

/** Few enough slots that each of them is tried. */
const SHARES: DeliveryShares = {
  first: { perClient: 4, perWebhook: 3 },
  retries: { perClient: 3, perWebhook: 2 },
};

/** As in the queues of deliveries: the visibility timeout in seconds, and the most receives of a message. */
const VISIBILITY = 180;
const MOST_RECEIVES = 5;

/**
 * The service's own parts from the event to the call, on repositories in memory. The clock moves from one due action to
 * the next: days of deliveries pass in a moment, and a test can stop, break or repeat anything in between.
 */
export function deliveryWorld(endpoint: Endpoint, ...registered: readonly Webhook[]) {
  const clock = fakeClock(START, endpoint.random ?? (() => 0));
  const start = Date.parse(START);
  const [deliveries, events, webhooks] = [deliveriesInMemory(), eventsInMemory(), webhooksInMemory(...registered)];
  const health = healthInMemory(clock);
  const slots = slotsInMemory(clock);
  const { acquire, release } = createDeliverySlots(slots, endpoint.shares ?? SHARES);
  const queued: Queued[] = [];
  const dead: string[] = [];
  const sent: Sent[] = [];
  let ids = 0;
  let sweepsFrom = start;

  const send = (queue: Queued['queue']) => async (message: DeliveryMessage, delaySeconds: number) => {
    const delay = Math.min(900, Math.max(0, Math.ceil(delaySeconds)));
    queued.push({ queue, body: JSON.stringify(message), at: clock.now().getTime() + delay * 1000, receives: 0 });
  };
  const sendEvent: SendEvent = async ({ url }, { eventId, body }) => {
    const now = clock.now();
    const call = { at: (now.getTime() - start) / 1000, url, eventId, body };
    sent.push(call);
    return { at: now.toISOString(), durationMs: 1, ...endpoint.answer(call, sent.length) };
  };
  /** Every external step, so that a test can break any of them. */
  const steps = {
    find: webhooks.find,
    list: webhooks.list,
    change: webhooks.change,
    findEvent: events.find,
    record: events.record,
    create: deliveries.create,
    claim: deliveries.claim,
    finish: deliveries.finish,
    reschedule: deliveries.reschedule,
    end: deliveries.end,
    acquire,
    responsiveness: health.responsiveness,
    circuit: health.circuit,
    requestAttempt: health.requestAttempt,
    recordResult: health.recordResult,
    release,
    sendFirst: send('first'),
    sendRetry: send('retries'),
    sendEvent,
  };

  const fanOut = (event: ServiceEvent) =>
    fanOutEvent({
      events: { find: steps.findEvent, record: steps.record },
      webhooks: { list: steps.list },
      deliveries: { create: steps.create },
      health: { circuit: steps.circuit },
      sendMessage: steps.sendFirst,
      clock,
      notifying: { ownTypes: [], otherSources: [] },
    })(
      queuedEvent.parse({
        source: OWN_SOURCE,
        'detail-type': event.type,
        detail: { clientId: event.clientId, eventId: event.eventId, occurredAt: event.occurredAt },
      }),
    );

  const deliver = (message: DeliveryMessage, lane: DeliveryLane = 'first') => {
    const next = createNextAttempts({ claims: steps, sendFirst: steps.sendFirst, sendRetry: steps.sendRetry, clock });
    const deactivate = createDeactivateWebhook({ webhooks: steps, changeWebhook: steps.change, clock });
    const concludeCall = createConcludeCall({ health: steps, deactivate });
    return deliverWebhook({
      slots: steps,
      claims: steps,
      webhooks: steps,
      events: { find: steps.findEvent },
      health: steps,
      sendEvent: steps.sendEvent,
      next,
      conclude: createConcludeAttempt({ next, concludeCall, webhooks: steps, clock }),
      clock,
      newId: () => `claim ${ids++}`,
    })(message, lane);
  };

  const sweep = releaseDueDeliveries({
    deliveries,
    webhooks: { find: (...given) => steps.find(...given) },
    health,
    listClientIds: async () => [...new Set(deliveries.all().map(({ clientId }) => clientId))],
    sendMessage: send('retries'),
    clock,
  });

  const receive = async (message: Queued) => {
    queued.splice(queued.indexOf(message), 1);
    try {
      const hint = parseDeliveryMessage(message.body);
      if (!('probe' in hint)) await deliver(hint, message.queue);
    } catch {
      const receives = message.receives + 1;
      if (receives === MOST_RECEIVES) dead.push(message.body);
      else queued.push({ ...message, receives, at: clock.now().getTime() + VISIBILITY * 1000 });
    }
  };

  return {
    clock,
    deliveries,
    events,
    webhooks,
    health,
    slots,
    steps,
    queued,
    dead,
    sent,
    fanOut,
    deliver,
    sweep,
    /** Stops the sweep for this time. */
    stopSweepingFor: (seconds: number) => {
      sweepsFrom = clock.now().getTime() + seconds * 1000;
    },

    /**
     * Does everything that is due until this many seconds after the start, in order. The sweep runs once a minute,
     * except for runs that would find nothing.
     */
    async runUntil(seconds: number): Promise<void> {
      const end = start + seconds * 1000;
      for (;;) {
        const now = clock.now().getTime();
        const message = queued.toSorted((one, other) => one.at - other.at)[0];
        const soonest = Math.max(now, deliveries.firstDue() - 90_000);
        const sweepAt = Math.max(sweepsFrom, (Math.floor(soonest / 60_000) + 1) * 60_000);
        const nextAt = Math.min(message === undefined ? sweepAt : Math.max(now, message.at), sweepAt);
        if (nextAt > end) break;
        clock.set(new Date(nextAt).toISOString());
        if (message !== undefined && message.at <= nextAt) await receive(message);
        else await sweep();
      }
      clock.set(new Date(end).toISOString());
    },
  };
}

export type DeliveryWorld = ReturnType<typeof deliveryWorld>;
