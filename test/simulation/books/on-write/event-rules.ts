import { createHash } from 'node:crypto';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { depositStatusOf, differing, expiry, has, hashStatusOf, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import { changesOf, type Revision, type Written } from '../written.ts';
import { idOfEvent, type WrittenEvent } from '../written-event.ts';

/** Checks a write of an event. */
export function checkEvent({ before, after }: Change, { ledger, now, skew }: Written): void {
  const id = idOfEvent(after ?? before);
  if (after === undefined) {
    const isOver = !has(before, 'unpublishedIn') && expiry(before) <= now + skew;
    must('an event is kept until it was published and its time is over', isOver, { id });
    return;
  }
  must('an event waits for the bus, or expires', has(after, 'unpublishedIn') !== has(after, 'expiresAt'), { id });
  must('an event has a place once the bus has it', has(after, 'unpublishedIn') !== has(after, 'place'), { id });
  if (has(after, 'place') && !has(before, 'place')) checkPlace(after, id, now, skew);
  if (before !== undefined) {
    const changed = differing(before, after, ['clientId', 'type', 'occurredAt', 'body']);
    const isMoved = has(before, 'place') && text(before, 'place') !== text(after, 'place');
    must('an event keeps its place', !isMoved, { id, place: text(after, 'place') });
    must('an event never changes', changed.length === 0, { id, changed });
    const isBack = !has(before, 'unpublishedIn') && has(after, 'unpublishedIn');
    must('an event that was published stays published', !isBack, { id });
    return;
  }
  const event = ledger.events.get(id);
  const isSame = event?.type === event?.itemType && event?.timestamp === event?.occurredAt;
  must('the body of an event says its type and its time', isSame, { id, type: event?.type, itemType: event?.itemType });
  const { subject, change } = event ?? {};
  const isOwn = has(after, 'unpublishedIn');
  const expected = isOwn ? event && keyOf(event) : `${subject} EVENT`;
  const isInPlace = `${subject} ${change}` === expected && isOwn !== (subject?.startsWith('other#') === true);
  must('an event is kept under what it says, and apart if another service said it', isInPlace, { id, subject, change });
}

/** Milliseconds by which the feed lags. A process may be suspended between reading its clock and its write. */
const PLACE_LASTS = 180_000;

/** A place has the writer's current time, so that no event appears before events that are already in the feed. */
function checkPlace(event: Item, id: string, now: number, skew: number): void {
  const [, at = '', sequence = '', of = ''] = /^(\d{13})#(\d{10})#(.*)$/.exec(text(event, 'place')) ?? [];
  const expected = /#(\d{10})$/.exec(text(event, 'change'))?.[1] ?? '0000000000';
  must('a place says when, which change and which event', of === id && sequence === expected, {
    id,
    place: text(event, 'place'),
  });
  const isOfNow = Number(at) >= now - PLACE_LASTS - skew && Number(at) <= now + skew;
  must('a place is of the time at which it is put', isOfNow, { id, at: Number(at), now });
  const isOther = text(event, 'subject').startsWith('other#');
  const isAfter = isOther || Number(at) + 2 * skew >= instant(event, 'occurredAt');
  must('nothing is published before it has happened', isAfter, { id, at: Number(at) });
}

/** The key of the service's own event: its subject, with one event for each type and change. */
function keyOf({ type, clientId, data }: WrittenEvent): string {
  const { operationId, payinId, depositId = '', sequence } = data;
  const subject = operationId ? `operation#${operationId}` : payinId ? `payin#${payinId}` : `client#${clientId}`;
  return `${subject} ${type}#${depositId}#${String(sequence).padStart(10, '0')}`;
}

/** Every visible change has exactly one event in its transaction, with its sequence, and there are no other events. */
export function checkEventsOf(written: Written): void {
  const expected = [
    ...changesOf(written, 'OPERATION').flatMap((change) => expectedOfOperation(change, written)),
    ...changesOf(written, 'DEPOSIT').flatMap(expectedOfDeposit),
    ...changesOf(written, 'PAYIN').flatMap(expectedOfPayin),
    ...changesOf(written, 'CLIENT').flatMap(expectedOfClient),
  ].toSorted();
  const events = written.events
    .filter((event) => written.ledger.unpublished.has(event.eventId))
    .map(signatureOf)
    .toSorted();
  must('each change that clients see has exactly one event, with its sequence', events.join() === expected.join(), {
    events,
    expected,
  });
}

function expectedOfOperation({ before, after }: Change, { events }: Written): readonly string[] {
  if (after === undefined) return [];
  const of = `${text(after, 'operationId')}@${number(after, 'sequence')}`;
  const [from, to] = [before && hashStatusOf(before), hashStatusOf(after)];
  const isEnding =
    before !== undefined && text(before, 'status') === text(after, 'status') && isQuiet({ before, after });
  const ended = events.filter(({ type }) => isEnding && type === 'ramp.deposit_hash.window_ended').length;
  return [
    ...statusChange('ramp.operation.status_changed', of, { before, after }),
    ...(from === undefined || from === to ? [] : [`ramp.deposit_hash.status_changed ${of} ${from}>${to}`]),
    ...(ended === 0 ? [] : [`ramp.deposit_hash.window_ended ${of} VERIFYING>VERIFYING`]),
  ];
}

/** The end of a window changes nothing of an operation but its sequence. */
function isQuiet({ before, after }: { readonly before: Item; readonly after: Item }): boolean {
  return (
    number(before, 'attempt') === number(after, 'attempt') && text(before, 'expiresAt') === text(after, 'expiresAt')
  );
}

function expectedOfDeposit({ before, after }: Change): readonly string[] {
  const [from, to] = [depositStatusOf(before), depositStatusOf(after)];
  const of = `${digestOf(text(after, 'custodianTransferId'))}@${number(after, 'sequence')}`;
  return from === to || !has(after, 'operationId') ? [] : [`ramp.deposit.status_changed ${of} ${from || 'null'}>${to}`];
}

/** The first digits of a deposit's id as clients see it. */
const digestOf = (transferId: string) => createHash('sha256').update(transferId).digest('hex').slice(0, 8);

function expectedOfPayin({ before, after }: Change): readonly string[] {
  if (after === undefined) return [];
  const of = `${text(after, 'payinId')}@${number(after, 'sequence')}`;
  const isReversed = before !== undefined && remainingOf(before) !== remainingOf(after);
  return isReversed
    ? [`ramp.payin.reversed ${of} COMPLETED>COMPLETED`]
    : statusChange('ramp.payin.status_changed', of, { before, after });
}

/** What remains of a payment that was taken back; empty for any other, whose clients only hear of its status. */
function remainingOf(payin: Item): string {
  if (text(payin, 'reversedAt') === '') return '';
  const { amount, currency } = payin['settlementMismatch']?.M ?? {};
  return `${text(payin, 'reversedAt')} ${JSON.stringify([amount, currency])}`;
}

function statusChange(type: string, of: string, { before, after }: Revision): readonly string[] {
  const [from, to] = [before === undefined ? 'null' : text(before, 'status'), text(after, 'status')];
  return from === to ? [] : [`${type} ${of} ${from}>${to}`];
}

function expectedOfClient({ before, after }: Change): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const [from, to] = [approvalOf(before), approvalOf(after)];
  const of = `${text(after, 'clientId')}@${number(after, 'sequence')}`;
  return from === to ? [] : [`compliance.client.status_changed ${of} ${from}>${to}`];
}

/** The approval that the client reads: `approved`, or the result that prevents it. */
function approvalOf(client: Item): string {
  const compliance = text(client, 'complianceStatus');
  return compliance === 'approved' ? text(client, 'status') : compliance;
}

function signatureOf({ type, data }: WrittenEvent): string {
  const of = data.depositId?.slice(0, 8) ?? data.operationId ?? data.payinId ?? data.clientId;
  return `${type} ${of}@${data.sequence} ${data.previousStatus}>${data.status}`;
}
