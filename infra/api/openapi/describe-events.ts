import { EVENT_ID } from '#infra/platform/example-ids.ts';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { EVENTS_TAG } from './route-tags.ts';
import { type Json, schemaOf } from './schemas.ts';

/** Standard Webhooks 1.0. */
const signatureHeaders: readonly Json[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the event, the same on every attempt: it identifies events that were already processed.',
    schema: { type: 'string' },
    example: EVENT_ID,
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of this attempt, in seconds since 1970. Refuse a call that is older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795269791',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more, separated by spaces: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, whose key is the base64 after `whsec_` in the secret. While two secrets are valid, there is one signature by each.',
    schema: { type: 'string' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
];

const taken: Json = { description: 'Accepted. The body is not read.' };

const answersToEvents: Json = {
  '2XX': taken,
  410: { description: 'Gone: the webhook is deactivated.' },
  default: {
    description: 'Not accepted, redirects included: the event is sent again, ten times in all over some three days.',
  },
};

const answersToTests: Json = {
  '2XX': taken,
  default: {
    description: 'Not accepted, redirects included. The answer to the client has the status; nothing else happens.',
  },
};

const SENT_ONCE = 'Sent at once, to any webhook, and never repeated.';

const SENT_UNTIL_TAKEN =
  'Sent at least once and in any order: drop an event whose `sequence` is not larger than the largest known one of its type and resource.';

/** Describes the events that the service sends to the client's webhooks. */
export function describeEvents(): Json {
  const described = publishedEvents.map((event) => {
    const { schema, summary, data, isSentOnce } = event;
    const type = eventTypeOf(event);
    const post = {
      operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      description: `${isSentOnce ? SENT_ONCE : SENT_UNTIL_TAKEN} By PUT where the webhook says so.`,
      tags: [EVENTS_TAG],
      security: [],
      parameters: signatureHeaders,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaOf(schema, 'output'),
            example: { type, timestamp: '2026-11-21T14:03:11.482Z', data },
          },
        },
      },
      responses: isSentOnce ? answersToTests : answersToEvents,
    };
    return [type, { post }];
  });
  return Object.fromEntries(described);
}
