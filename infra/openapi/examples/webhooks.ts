import type { Examples } from '../examples.ts';
import { CLIENT_ID, DELIVERY_ID, EVENT_ID, WEBHOOK_ID } from './ids.ts';

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
  'list-webhooks': { answer: [webhook] },
  'register-webhook': {
    request: { url, process: 'ramp' },
    answer: { ...webhook, secret },
    remark:
      'The address has to be https on port 443 or 8443, without user and password, and public. An active webhook hears every event of its process, whichever user it is about.',
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
  'rotate-webhook-secret': { answer: { ...webhook, secret } },
  'test-webhook': {
    answer: { delivered: false, statusCode: 404, durationMs: 87 },
    remark:
      'The event `webhook.test` is signed and checked like any other. It is sent once and kept nowhere; the answer takes as long as the endpoint does, up to 15 seconds.',
  },
  'list-deliveries': {
    answer: { deliveries: [arrived], nextCursor: DELIVERY_ID },
    remark:
      'Deliveries and attempts are kept for 90 days. `nextCursor` is absent on the last page. What waits for its next attempt when a webhook is deactivated is CANCELLED.',
  },
  'resend-delivery': {
    answer: asked,
    remark:
      'The next attempt is made now, under the same webhook-id, and if it fails, the retries begin anew. While an attempt is under way, that one counts as the one asked for.',
  },
  'replay-events': {
    request: { since: '2026-11-20T09:00:00-05:00' },
    answer: { since: '2026-11-20T14:00:00.000Z' },
    remark:
      'Every event since then is sent once more under its own webhook-id, whether it arrived or not, also what happened while the webhook was inactive; what is on its way stays as it is. The deliveries appear in the list one after another. A replay ends when the webhook is deactivated.',
  },
};
