import * as z from 'zod/mini';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { PAYOUTS } from '#shared/events/incoming-events.ts';
import { externalEventId } from '#shared/events/service-event.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { textIn } from '../bodies.ts';
import { has, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** The only other service that may notify clients on the local stage. */
const PARTNER = 'partner.demo';

const ownTypes = new Set(publishedEvents.map(eventTypeOf));

const ends = ['COMPLETED', 'CANCELLED', 'FAILED'];

/** Checks that no execution, message or notice is left over. */
export function checkOtherServiceEnds(aftermath: Aftermath): void {
  checkExecutions(aftermath);
  checkDeadLetters(aftermath);
  checkNotices(aftermath);
  const { stopped } = aftermath.remains;
  must('AWS stops no function as one that calls itself', stopped.length === 0, { stopped });
}

/** Milliseconds: the longest pause between two polls of an attempt, after a day without answers of the custodian. */
const LONGEST_PAUSE = 12 * 3600 * 1000;

const EXECUTION = /^(.{36})-(\d+)(?:-(\d+))?$/;

function checkExecutions({ remains, ledger, now }: Aftermath): void {
  for (const { name, status } of remains.executions) {
    const [, id = '', attempt = '', run = '1'] = EXECUTION.exec(name) ?? [];
    const operation = ledger.operations.get(id);
    must('no execution without an operation', operation !== undefined, { name });
    const isOfAttempt = Number(attempt) >= 1 && Number(attempt) <= number(operation, 'attempt');
    must('no execution without an attempt', isOfAttempt, { name, attempts: number(operation, 'attempt') });
    const verification = ledger.verifications.get(id);
    const isCurrent = number(verification, 'attempt') === Number(attempt);
    must('no execution without a run', !isCurrent || Number(run) <= number(verification, 'run'), { name });
    const isOver = !isCurrent || !has(verification, 'nextCheckAt');
    const mayRun = !isOver || lastChange(operation, verification) >= now - LONGEST_PAUSE - LATE;
    must('every execution ends', status !== 'RUNNING' || mayRun, { name });
  }
}

/** The latest time at which an attempt ended, in milliseconds since 1970. */
function lastChange(operation: Item | undefined, verification: Item | undefined): number {
  const polls = [instant(verification, 'windowStartsAt'), instant(verification, 'lastCheckedAt')];
  const changes = ['createdAt', 'creditedAt', 'endedAt'].map((name) => instant(operation, name));
  return Math.max(...[...polls, ...changes].filter((time) => !Number.isNaN(time)));
}

/** Queues whose messages are hints: the tables say what is due, and a sweep sends the message again. */
const hints = ['NotifiedTransfers', 'FirstAttempts', 'Retries', 'Unhandled'];

function checkDeadLetters({ remains, ledger }: Aftermath): void {
  for (const [queue, bodies] of remains.deadLetters) {
    if (hints.some((hint) => queue.includes(hint))) continue;
    const meant = bodies.filter((body) => !remains.undelivered.includes(body) && isForTheService(body, ledger));
    must('nothing is given up that nothing makes up for', meant.length === 0, { queue, meant });
  }
}

/** True if the service must not lose the message. Others may put anything on the bus; only some can be applied. */
function isForTheService(body: string, { operations, events }: Aftermath['ledger']): boolean {
  if (textIn(body, 'requestedAt') !== undefined) return true;
  const eventId = textIn(body, 'detail', 'eventId') ?? '';
  if (events.has(eventId) || events.has(idOfTold(textIn(body, 'source') ?? '', eventId))) return true;
  const operation = operations.get(textIn(body, 'detail', 'operationId') ?? '');
  const status = textIn(body, 'detail', 'status') ?? '';
  const toldAt = Date.parse(textIn(body, 'time') ?? '');
  return operation !== undefined && ends.includes(status) && !isTooEarly(operation, status, toldAt);
}

function checkNotices({ truth, remains, ledger, now }: Aftermath): void {
  const undelivered = remains.undelivered.join();
  for (const { at, source, type, detail } of truth.notices) {
    if (at >= now - LATE || undelivered.includes(JSON.stringify(detail))) continue;
    const operation = ledger.operations.get(String(detail['operationId']));
    const status = String(detail['status']);
    if (type === 'operation.status' && operation !== undefined && maySay(source, status)) {
      must('an end that another service announces is applied', isApplied(operation, status, at), {
        id: text(operation, 'operationId'),
        status,
        is: text(operation, 'status'),
      });
      must('a payout that is told of is on its off-ramp', isPayoutKept(operation, detail['payout'], status, at), {
        id: text(operation, 'operationId'),
        payout: detail['payout'],
      });
    }
    const eventId = detail['eventId'];
    if (!ledger.clients.has(String(detail['clientId'])) || typeof eventId !== 'string') continue;
    const [isKept, mayTell] = [ledger.events.has(idOfTold(source, eventId)), source === PARTNER && !ownTypes.has(type)];
    must('what another service tells clients is kept', isKept || !mayTell, { type, eventId });
    must('what is told in our name, or by a stranger, is not kept', !isKept || mayTell, { source, type, eventId });
  }
}

/** The id of an event that another service caused; the given id itself if it is malformed, which no event has. */
function idOfTold(source: string, given: string): string {
  return /^[\w-]{1,100}$/.test(given) ? externalEventId(source, given) : given;
}

/** Compliance also ends off-ramps, but only the payout service may report one as paid. */
function maySay(source: string, status: string): boolean {
  return ends.includes(status) && (status !== 'COMPLETED' || source === PAYOUTS);
}

function isApplied(operation: Item, status: string, at: number): boolean {
  return isTooEarly(operation, status, at) || ends.includes(text(operation, 'status'));
}

const payout = z.object({ reference: z.string() });

/** True if the payout is kept as the operation's payout, or as a contradiction. */
function isPayoutKept(operation: Item, said: unknown, status: string, at: number): boolean {
  const { data } = payout.safeParse(said);
  if (data === undefined || status !== 'COMPLETED' || isTooEarly(operation, status, at)) return true;
  const kept = [operation, ...(operation['contradictions']?.L ?? []).map(({ M }) => M)];
  return kept.some((one) => text(one?.['payout']?.M, 'reference') === data.reference);
}

/** Milliseconds for which an early notice is surely retried; the service retries for half an hour. */
const TRIED_FOR = 20 * 60 * 1000;

/** True if a COMPLETED came long before the operation had its deposit, so that it need not be applied. */
function isTooEarly(operation: Item, status: string, at: number): boolean {
  const wasPending = instant(operation, 'creditedAt') - TRIED_FOR < at;
  return status === 'COMPLETED' && !wasPending;
}
