import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { instant, instantIn, noQuery } from '#shared/platform/http/fields.ts';
import { ofWebhook, webhookPath } from './webhook-contract.ts';

export const replayEvents = contract({
  name: 'replay-events',
  method: 'POST',
  path: `${webhookPath}/replay`,
  summary: 'Send a webhook every event of its process since a time once more, whether it arrived or not',
  access: 'approved-client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: z.object({
    since: instantIn,
  }),
  success: { status: 202, body: z.object({ since: instant }) },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'FORBIDDEN',
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_INACTIVE',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
  ],
});

documentObject('ReplayRequest', replayEvents.body, 'From when on events are sent once more.', {
  since: 'A time at most 14 days ago and not in the future, by RFC 3339 with an offset.',
});

documentObject('Replay', replayEvents.success.body, 'A replay that was accepted.', {
  since: 'From when on events are sent once more, in UTC.',
});
