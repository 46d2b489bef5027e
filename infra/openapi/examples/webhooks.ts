import type { Examples } from '../examples.ts';
import { CLIENT_ID, WEBHOOK_ID } from './ids.ts';

const url = 'https://client.example/notifications';
const webhook = { id: WEBHOOK_ID, method: 'POST', process: 'ramp', status: true, url, userId: CLIENT_ID };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

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
  'deactivate-webhook': { answer: { ...webhook, status: false } },
  'rotate-webhook-secret': { answer: { ...webhook, secret } },
};
