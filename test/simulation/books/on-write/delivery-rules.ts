import { type Item, isSame } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { attemptsOf, differing, expiry, has, hasAllOrNone, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** docs/webhooks.md: an ended delivery begins again only when its client asks for it. */
const lives: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'],
  DELIVERED: ['PENDING'],
  FAILED: ['PENDING'],
  CANCELLED: ['PENDING'],
};

/** The most attempts per request, and logged attempts per delivery. */
const MOST_ATTEMPTS = 10;
const MOST_LOGGED = 50;

/** Milliseconds by which an attempt may begin before its time. */
const EARLY = 2000;

/** Checks a write of a delivery. */
export function checkDelivery({ before, after }: Change, written: Written): void {
  const id = text(after ?? before, 'deliveryId');
  if (after === undefined) {
    must('a delivery is kept until its time is over', expiry(before) <= written.now + written.skew, { id });
    return;
  }
  checkState(after);
  if (before === undefined) {
    checkCreation(after, written);
    return;
  }
  const changed = differing(before, after, ['eventId', 'webhookId', 'clientId', 'type', 'createdAt']);
  must('a delivery stays of one event to one webhook', changed.length === 0, { id, changed });
  const [from, to] = [text(before, 'status'), text(after, 'status')];
  must('a delivery goes only along its life', lives[from]?.includes(to) === true, { id, from, to });
  const isAsked = text(before, 'queuedAt') !== text(after, 'queuedAt');
  must('a delivery that ended begins again only when its client asks', from === 'PENDING' || isAsked, { id, from, to });
  checkProgress({ before, after }, isAsked, written);
  checkLease({ before, after }, written);
}

function checkState(after: Item): void {
  const [id, status, reason] = [text(after, 'deliveryId'), text(after, 'status'), text(after, 'reason')];
  const isPending = status === 'PENDING';
  const hasNext = has(after, 'nextAttemptAt');
  must('a delivery has a next attempt until it ended', hasNext === isPending, { id, status });
  must('a next attempt is due', hasAllOrNone(after, ['nextAttemptAt', 'dueAt']), { id, status });
  const isListed = status === 'FAILED' || status === 'CANCELLED';
  must('what was not delivered says why', isListed === (reason !== ''), { id, status, reason });
  must('a lease has a holder', hasAllOrNone(after, ['claimToken', 'leaseUntil']), { id, status });
  must('nobody holds a delivery that ended', isPending || !has(after, 'claimToken'), { id, status });
  const [made, logged] = [number(after, 'attemptsMade'), attemptsOf(after).length];
  must('a delivery has at most its attempts', made <= MOST_ATTEMPTS && logged <= MOST_LOGGED + MOST_ATTEMPTS, {
    id,
    made,
    logged,
  });
  const isUsedUp = made === MOST_ATTEMPTS;
  const isGivenUp = reason === 'EXHAUSTED' ? isUsedUp : !(isPending && isUsedUp);
  must('a delivery is given up after all its attempts', isGivenUp, { id, made, status, reason });
}

function checkCreation(after: Item, { ledger }: Written): void {
  const id = text(after, 'deliveryId');
  const [event, webhook] = [ledger.events.get(text(after, 'eventId')), ledger.webhooks.get(text(after, 'webhookId'))];
  must('a new delivery has no attempts', has(after, 'attempts') && attemptsOf(after).length === 0, { id });
  must('a delivery is of an event', event !== undefined && event.type === text(after, 'type'), { id });
  const isMonitored = webhook === undefined || event?.type.startsWith(`${text(webhook, 'process')}.`) === true;
  must('a webhook gets what it monitors', isMonitored, { id, process: text(webhook, 'process'), type: event?.type });
  const place = `${text(after, 'eventId')} ${text(after, 'webhookId')}`;
  const other = ledger.deliveryOf.get(place);
  must('one event is delivered to one webhook under one id', other === undefined || other === id, { id, other, place });
}

/** An attempt is written by its lease holder, together with its effect on the delivery, and never changes. */
function checkProgress(
  { before, after }: { readonly before: Item; readonly after: Item },
  isAsked: boolean,
  written: Written,
): void {
  const id = text(after, 'deliveryId');
  const [seen, logged] = [attemptsOf(before), attemptsOf(after)];
  const added = logged.slice(seen.length);
  const isKept = seen.every((one, position) => isSame(one, logged[position] ?? { NULL: true }));
  must('attempts are added one by one, and stay', isKept && added.length <= 1, { id, seen, logged });
  const isHolders = added.length === 0 || (has(before, 'claimToken') && !has(after, 'claimToken'));
  must('an attempt is written by its holder, who gives the delivery back', isHolders, { id, logged });
  const made = isAsked ? 0 : number(before, 'attemptsMade') + added.length;
  must('attempts count since they were asked for', number(after, 'attemptsMade') === made, {
    id,
    made: number(after, 'attemptsMade'),
  });
  const hasArrived = added.some(({ L }) => Math.floor(Number(L?.[2]?.N) / 100) === 2);
  const isDelivered = text(before, 'status') === 'PENDING' && text(after, 'status') === 'DELIVERED';
  must('delivered is what the endpoint took', isDelivered === hasArrived, { id, status: text(after, 'status') });
  const [from, to] = [text(before, 'status'), text(after, 'status')];
  const webhook = written.ledger.webhooks.get(text(after, 'webhookId'));
  const isCancelled = from === 'PENDING' && to === 'CANCELLED';
  const isActive =
    webhook?.['status']?.BOOL === true && instant(webhook, 'activeSince') + written.skew < instant(after, 'queuedAt');
  must('only an inactive webhook cancels a delivery', !isCancelled || !isActive, {
    id,
    webhookId: text(after, 'webhookId'),
  });
}

/** A delivery has one lease holder at a time, who makes the attempt. */
function checkLease({ before, after }: { readonly before: Item; readonly after: Item }, { now, skew }: Written): void {
  const id = text(after, 'deliveryId');
  const [held, holder] = [text(before, 'claimToken'), text(after, 'claimToken')];
  if (holder === '' || holder === held) return;
  const isFree = held === '' || instant(before, 'leaseUntil') <= now + 2 * skew;
  must('one attempt of a delivery is made at a time', isFree, {
    id,
    held,
    holder,
    leaseUntil: text(before, 'leaseUntil'),
  });
  const isDue = instant(before, 'nextAttemptAt') <= now + EARLY + skew;
  must('no attempt is made before its time', isDue, { id, nextAttemptAt: text(before, 'nextAttemptAt') });
}
