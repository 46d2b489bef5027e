import { CLIENT_ID, DELIVERY_ID, EVENT_ID, WEBHOOK_ID } from '#infra/api/openapi/example-ids.ts';
import type { Examples } from '#infra/api/openapi/examples.ts';

const url = 'https://client.example/notifications';
const webhook = { id: WEBHOOK_ID, method: 'POST', process: 'ramp', status: true, url, userId: CLIENT_ID };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const arrived = {
  id: DELIVERY_ID,
  eventId: EVENT_ID,
  type: 'ramp.operation.status_changed',
  status: 'DELIVERED',
  createdAt: '2026-11-21T14:03:11.604Z',
  attempts: [
    { at: '2026-11-21T14:03:11.731Z', trigger: 'SCHEDULED', statusCode: 503, durationMs: 212 },
    { at: '2026-11-21T14:03:16.988Z', trigger: 'SCHEDULED', error: 'TIMEOUT', durationMs: 15003 },
    { at: '2026-11-21T14:08:33.120Z', trigger: 'SCHEDULED', statusCode: 204, durationMs: 95 },
  ],
};

const { status: _, ...known } = arrived;
const asked = { ...known, status: 'PENDING', nextAttemptAt: '2026-11-21T15:20:00.417Z' };

export const webhookExamples: Examples = {
  'list-webhooks': {
    answer: [webhook],
    remark:
      'A webhook whose endpoint has failed five times in a row is parked: `parkedUntil` says until when nothing is sent to it. A test event that arrives and a resend end that.',
  },
  'register-webhook': {
    request: { url, process: 'ramp' },
    answer: { ...webhook, secret },
    remark:
      'A client has a hundred webhooks at most, active or not. The address has to be https on port 443 or 8443, without user and password, and public. An active webhook hears every event of its process, whichever user it is about.',
  },
  'update-webhook': {
    request: { status: true, url },
    answer: webhook,
    remark: 'A webhook that is reactivated hears only of what happens from then on.',
  },
  'deactivate-webhook': {
    answer: { ...webhook, status: false },
    remark:
      'What waits for its next attempt is not sent any more; a call that is under way at this moment may still end. `statusReason` is there only when the service deactivated the webhook: its endpoint answered 410, or nothing good for five days.',
  },
  'remove-webhook': {
    remark:
      'Only of an inactive webhook, and for good: its secret, its deliveries and their attempts cannot be looked at any more. What still waits for it is not sent.',
  },
  'rotate-webhook-secret': {
    answer: { ...webhook, secret },
    remark: 'Meanwhile every call has a signature by each of the two, so that the receiver can be changed at any time.',
  },
  'test-webhook': {
    answer: { delivered: false, statusCode: 404, durationMs: 87 },
    remark:
      'The event `webhook.test` is signed and checked like any other. It is sent once and kept nowhere; the answer takes as long as the endpoint does, up to 15 seconds.',
  },
  'list-deliveries': {
    answer: { deliveries: [arrived], nextCursor: DELIVERY_ID },
    remark:
      'Deliveries and attempts are kept for 90 days. A delivery that FAILED or was CANCELLED says why: its ten attempts failed (EXHAUSTED), the endpoint answered 410 (ENDPOINT_GONE), it points where no webhook may (BLOCKED), the webhook was deactivated while it waited (WEBHOOK_INACTIVE), or it is our fault (INTERNAL).',
  },
  'resend-delivery': {
    answer: asked,
    remark:
      'The next attempt is made now, under the same webhook-id and even if the webhook was parked, which this ends; if it fails, the retries begin anew. While an attempt is under way, that one counts as the one asked for.',
  },
  'replay-events': {
    request: { since: '2026-11-20T09:00:00-05:00' },
    answer: { since: '2026-11-20T14:00:00.000Z' },
    remark:
      'Each under its own webhook-id, and also what happened while the webhook was inactive; what is on its way stays as it is. `since` is at most 14 days ago. A client may ask four times a minute. It begins 15 seconds later, and the deliveries appear in the list one after another, about a thousand a minute. A replay ends when the webhook is deactivated.',
  },
};
