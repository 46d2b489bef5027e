import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { PublishedEvents } from '../generated.ts';

/** One call of a webhook, as the service or somebody else would make it. */
export interface ExamCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Check {
  /** The call that is sent. */
  readonly name: string;
  readonly calls: readonly ExamCall[];
  readonly atOnce?: true;
  readonly expected: 'ACCEPTED' | 'REFUSED';
  /** What an endpoint that fails the check has to do. */
  readonly advice: string;
}

export interface Exam {
  readonly checks: readonly Check[];
  /** Effects that no answer shows, for a person to look at. */
  readonly leftToSee: string;
}

/** The most characters of a `webhook-id`. */
const LONGEST_ID = 128;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The checks of the exam, in their order. The first one shows whether the others are worth trying. */
export function prepareExam(secret: string, now = Date.now()): Exam {
  const stranger = `whsec_${randomBytes(32).toString('base64')}`;
  const offRamp = newOffRamp();
  const created = changed(offRamp, 1, now);
  const ended = changed(offRamp, 3, now);
  const overtaken = changed(offRamp, 2, now);
  const repeatedId = newId();
  const repeat = () => signed(created, { id: repeatedId });

  function signed(body: string, { id = newId(), by = [secret], at = now } = {}): ExamCall {
    const date = new Date(at);
    const signatures = by.map((each) => new Webhook(each).sign(id, date, body));
    return {
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      body,
    };
  }

  return {
    leftToSee: `off-ramp ${offRamp.operationId} is COMPLETED, because of sequence 3, and event ${repeatedId}, which was sent four times, was processed once.`,
    checks: [
      {
        name: 'A correctly signed call',
        calls: [repeat()],
        expected: 'ACCEPTED',
        advice: 'Verify webhook-id, webhook-timestamp and the body as they arrived with the secret of this webhook.',
      },
      {
        name: 'The same event again',
        calls: [repeat()],
        expected: 'ACCEPTED',
        advice: 'Answer 2xx to a webhook-id that you know, without processing it again.',
      },
      {
        name: 'The same event twice at the same time',
        calls: [repeat(), repeat()],
        atOnce: true,
        expected: 'ACCEPTED',
        advice: 'Remember webhook-ids by one conditional write, and answer 2xx to the second call.',
      },
      {
        name: 'An event that a later one has overtaken',
        calls: [signed(ended), signed(overtaken)],
        expected: 'ACCEPTED',
        advice:
          'Drop an event whose sequence is not larger than the largest known one of its type and resource, and answer 2xx.',
      },
      {
        name: 'An event of three days ago, sent again now',
        calls: [signed(changed(newOffRamp(), 1, now - 3 * DAY))],
        expected: 'ACCEPTED',
        advice: 'Judge the age of a call by webhook-timestamp, not by the timestamp of the event.',
      },
      {
        name: 'A body with spaces and letters like é',
        calls: [signed(JSON.stringify({ ...JSON.parse(ended), note: 'Bogotá' }, undefined, 2))],
        expected: 'ACCEPTED',
        advice: 'Verify the bytes of the body as they arrived, not JSON that was parsed and printed again.',
      },
      {
        name: 'A body of 20 kB',
        calls: [signed(JSON.stringify({ ...JSON.parse(ended), note: 'x'.repeat(20_000) }))],
        expected: 'ACCEPTED',
        advice: 'Take bodies of up to 64 kB.',
      },
      {
        name: `An id of ${LONGEST_ID} characters`,
        calls: [signed(changed(newOffRamp(), 1, now), { id: newId().padEnd(LONGEST_ID, '_') })],
        expected: 'ACCEPTED',
        advice: `Take ids of up to ${LONGEST_ID} characters, and keep them whole: one that is cut off may be another event's.`,
      },
      {
        name: 'An event of a type that does not exist yet',
        calls: [signed(event('ramp.something.new', { somethingId: randomUUID() }, now))],
        expected: 'ACCEPTED',
        advice: 'Answer 2xx to a type that you do not know, and ignore it: services may add types.',
      },
      {
        name: 'A webhook.test',
        calls: [signed(event('webhook.test', { webhookId: randomUUID() }, now))],
        expected: 'ACCEPTED',
        advice:
          'Answer 2xx to it: that is how the service finds that a webhook whose deliveries are paused works again.',
      },
      {
        name: 'Two signatures, the first by another secret',
        calls: [signed(created, { by: [stranger, secret] })],
        expected: 'ACCEPTED',
        advice: 'Accept a call if any of its signatures is right: while a secret is replaced, there is one by each.',
      },
      {
        name: 'Two signatures, the second by another secret',
        calls: [signed(created, { by: [secret, stranger] })],
        expected: 'ACCEPTED',
        advice: 'Accept a call if any of its signatures is right: while a secret is replaced, there is one by each.',
      },
      {
        name: 'A signature by another secret',
        calls: [signed(created, { by: [stranger] })],
        expected: 'REFUSED',
        advice: 'Answer 401 to a signature that is wrong: anybody can call your endpoint.',
      },
      {
        name: 'A body that was changed on its way',
        calls: [{ ...signed(overtaken), body: ended }],
        expected: 'REFUSED',
        advice: 'The signature covers the body, too: answer 401 if it was made for another body.',
      },
      {
        name: 'A call without signature',
        calls: [{ headers: {}, body: created }],
        expected: 'REFUSED',
        advice: 'Answer 401 to a call without the three webhook headers.',
      },
      {
        name: 'A recorded call of ten minutes ago',
        calls: [signed(created, { at: now - 10 * MINUTE })],
        expected: 'REFUSED',
        advice: 'Answer 401 if webhook-timestamp is more than five minutes off: somebody sends a recorded call again.',
      },
      {
        name: 'A call dated ten minutes in the future',
        calls: [signed(created, { at: now + 10 * MINUTE })],
        expected: 'REFUSED',
        advice: 'Answer 401 if webhook-timestamp is more than five minutes off, in either direction.',
      },
      {
        name: 'Ten events at the same time',
        calls: Array.from({ length: 10 }, () => signed(changed(newOffRamp(), 1, now))),
        atOnce: true,
        expected: 'ACCEPTED',
        advice: 'Store the event, answer 2xx, and process it afterwards.',
      },
    ],
  };
}

const newId = () => `evt_exam_${randomBytes(16).toString('base64url')}`;

type Change = PublishedEvents['ramp.operation.status_changed'];

const newOffRamp = () => ({ operationId: randomUUID(), userId: randomUUID() });

/** Status and previous status of an off-ramp, by the sequence of the event. */
const LIFE = {
  1: ['AWAITING_DEPOSIT', null],
  2: ['PENDING', 'AWAITING_DEPOSIT'],
  3: ['COMPLETED', 'PENDING'],
} as const;

function changed(offRamp: ReturnType<typeof newOffRamp>, sequence: keyof typeof LIFE, at: number): string {
  const [status, previousStatus] = LIFE[sequence];
  return event('ramp.operation.status_changed', { ...offRamp, status, previousStatus, sequence }, at);
}

/** The body of an event, as the service writes it. */
function event(type: string, data: Partial<Change['data']> | Readonly<Record<string, string>>, at: number): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
