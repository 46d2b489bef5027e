import { type Events, unpublishedShards } from '#shared/events/event-repository.ts';
import { positionAtTime, processOf, type ServiceEvent } from '#shared/events/service-event.ts';
import { CannotHandleYet } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import type { Slots } from '#shared/platform/dynamodb/slots.ts';
import { log } from '#shared/platform/logger.ts';
import { leaveOutUnreadable } from '#shared/platform/unreadable.ts';
import { nextAttemptMessage, type SendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { ReplayMessage, SendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { isCancelledBy, newDelivery, subscribesTo } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { DeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

/** Seconds after which a run leaves the rest to the next one: other clients wait no longer than this for their turn. */
const RUN_SECONDS = 45;

/** Seconds after which a replay that waits for another replay of its client tries again. */
export const TURN_SECONDS = 30;

const EVENTS_AT_ONCE = 25;

/**
 * Most events of a replay that a client requests (decisions.md 10, Replays). Replays after a pause, and those of
 * operators, have no limit.
 */
export const MOST_EVENTS = 50_000;

/** Milliseconds after the request at which a replay is cut, so that at most the replays of two days wait. */
const LASTS = 24 * 3600_000;

/** Milliseconds by which clocks may differ. */
const CLOCKS_DIFFER = 60_000;

/** Milliseconds after which two indexes have the same write. */
const INDEXES_AGREE = 2000;

/** Most unpublished events of all clients that are read to find one of the client; beyond, the bus counts as down. */
const MOST_UNPUBLISHED = 100;

/** Milliseconds. A delivery due within this time counts as on its way: an open circuit may delay it by as much. */
const SOON = 30 * 60_000;

/** Deliveries per run whose message is sent at once; the sweep sends the others, with turns for every client. */
const PROMPT = 100;

interface Dependencies {
  readonly events: Pick<Events, 'find' | 'ofClientAfter' | 'unpublishedBefore'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly queue: Pick<DeliveryQueue, 'create' | 'requeue'>;
  readonly slots: Slots;
  readonly sendDeliveryMessage: SendDeliveryMessage;
  readonly sendReplayMessage: SendReplayMessage;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Sends every event of a client in a period again to one of its webhooks, or only those that have not arrived. A
 * delivery on its way stays as it is, unless the client requested all events and would wait long for the next retry. A
 * repeat, by a duplicated message or after a run that died, skips the deliveries that were requested since. A client
 * has one run at a time.
 */
export function replayClientEvents(deps: Dependencies) {
  const { slots, sendReplayMessage, clock, newId } = deps;
  return async (replay: ReplayMessage): Promise<void> => {
    if (!replay.missedOnly && clock.now().getTime() - Date.parse(replay.requestedAt) > LASTS) return cut(replay);
    const own = tokenPrefixOf(replay);
    const turn = await slots.acquire(`replays#${replay.clientId}`, 1, `${own}${newId()}`);
    if (turn.state === 'BUSY') {
      // A copy of this message is being processed. This copy stays in the queue in case that run fails; waiting as a
      // new message, copies would multiply.
      if (turn.holder?.startsWith(own) === true) throw new CannotHandleYet('A copy of its message is at work.');
      await sendReplayMessage(replay, TURN_SECONDS);
      return;
    }
    const rest = await run(deps, replay).finally(() => slots.release(turn.slot));
    if (rest !== undefined) await sendReplayMessage(rest.replay, rest.delay);
  };
}

/** All messages of one replay have the same prefix. */
function tokenPrefixOf({ webhookId, since, requestedAt, missedOnly, undeliveredOnly }: ReplayMessage): string {
  return `${webhookId}#${since}#${requestedAt}#${missedOnly === true}#${undeliveredOnly === true}#`;
}

interface Rest {
  readonly replay: ReplayMessage;
  /** Seconds. */
  readonly delay: number;
}

/** Returns the remaining replay if this run's time is over, or the bus does not have all events of the period yet. */
async function run(deps: Dependencies, replay: ReplayMessage): Promise<Rest | undefined> {
  const { clientId, webhookId, since, until } = replay;
  const { events, webhooks, clock } = deps;
  const startedAt = clock.now().getTime();
  const before = (time: number) => positionAtTime(new Date(time - CLOCKS_DIFFER));
  const again = replay.again ?? ((await isIncomplete(deps, replay)) ? before(startedAt) : undefined);
  let prompt = PROMPT;
  let { seen = 0 } = replay;
  // Starts at `since`: no event is published before it occurs.
  const entries = events.ofClientAfter(clientId, replay.after ?? before(Date.parse(since)));
  for await (const group of inGroups(entries, EVENTS_AT_ONCE)) {
    const webhook = await webhooks.find(clientId, webhookId);
    if (webhook === undefined || isCancelledBy(webhook, { queuedAt: replay.requestedAt })) return;
    const found = (await Promise.all(group.map(({ eventId }) => findReadable(deps, eventId)))).filter(
      (event) => event !== undefined,
    );
    // A missed event may be later than the period, if the clock of its publisher was ahead.
    const isInTime = (at: string) => since <= at && (replay.missedOnly === true || at <= until);
    const inTime = found.filter(({ occurredAt }) => isInTime(occurredAt));
    const monitored = inTime.filter(({ type }) => processOf(type) === webhook.process);
    const isPrompt = prompt > 0;
    prompt -= monitored.length;
    await Promise.all(monitored.map((event) => sendOnceMore(deps, event, webhook, { ...replay, isPrompt })));
    seen += monitored.length;
    if (seen >= MOST_EVENTS && !replay.missedOnly && !replay.undeliveredOnly) {
      cut(replay);
      return;
    }
    const isOver = clock.now().getTime() >= startedAt + RUN_SECONDS * 1000;
    if (isOver) return { replay: { ...replay, after: group.at(-1)?.place, again, seen }, delay: 0 };
  }
  if (again === undefined) return;
  return { replay: { ...replay, after: again, again: undefined, seen }, delay: TURN_SECONDS };
}

/**
 * Whether the bus may still lack events of the period that only this replay can deliver. A webhook that was active then
 * gets events when they are published; one that was not gets them by this replay or never.
 */
async function isIncomplete(deps: Dependencies, replay: ReplayMessage): Promise<boolean> {
  const { events, webhooks, clock } = deps;
  const { clientId, webhookId, since, until, missedOnly, undeliveredOnly } = replay;
  if (missedOnly || undeliveredOnly) return false;
  const webhook = await webhooks.find(clientId, webhookId);
  if (webhook === undefined || webhook.activeSince <= since) return false;
  const after = new Date(Date.parse(until) + 1).toISOString();
  let read = 0;
  for (const shard of unpublishedShards) {
    for await (const eventId of events.unpublishedBefore(shard, after)) {
      read += 1;
      if (read > MOST_UNPUBLISHED) return true;
      const event = await findReadable(deps, eventId);
      const isOfClient = event?.clientId === clientId && processOf(event.type) === webhook.process;
      if (isOfClient && since <= event.occurredAt) return true;
    }
  }
  await clock.sleep(INDEXES_AGREE);
  return false;
}

/** Leaves out an unreadable event, so that the others are delivered. */
function findReadable({ events }: Dependencies, eventId: string): Promise<ServiceEvent | undefined> {
  return events.find(eventId).catch(leaveOutUnreadable(eventId));
}

function cut({ clientId, webhookId, since }: ReplayMessage): void {
  log.warn('REPLAY_CUT', { clientId, webhookId, since });
}

async function sendOnceMore(
  { queue, sendDeliveryMessage, clock }: Dependencies,
  event: ServiceEvent,
  webhook: Webhook,
  { requestedAt, undeliveredOnly, missedOnly, isPrompt }: ReplayMessage & { readonly isPrompt: boolean },
): Promise<void> {
  const now = clock.now();
  const dueAt = isPrompt ? messageLostAt(now) : now.toISOString();
  const delivery = newDelivery(event, webhook, 'REPLAY', now);
  // A delivery from before the reactivation of the webhook is no longer on its way.
  const unless = {
    unlessPendingSince: webhook.activeSince,
    unlessDueBy: undeliveredOnly ? undefined : new Date(now.getTime() + SOON).toISOString(),
    unlessDelivered: undeliveredOnly === true,
  };
  const request = { trigger: 'REPLAY', requestedAt, dueAt, ...unless } as const;
  // A restore may lose deliveries but keeps their events. An event from before the webhook was active has none to lose.
  const mayBeNew = !unless.unlessDelivered || subscribesTo(webhook, event);
  const isNew = mayBeNew && (await queue.create(delivery, dueAt, now));
  if (!isNew && missedOnly) return;
  const requested = isNew ? delivery : await queue.requeue(delivery.deliveryId, request, now);
  if (requested !== undefined && isPrompt) await sendDeliveryMessage(nextAttemptMessage(requested), 0);
}
