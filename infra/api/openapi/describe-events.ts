import { EVENT_ID } from '#infra/platform/example-ids.ts';
import { events, typeOf } from '#infra/webhooks/published-events.ts';
import { EVENTS } from './route-tags.ts';
import { type Json, schemaOf } from './schemas.ts';

/** Standard Webhooks 1.0. */
const signatureHeaders: readonly Json[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the event, the same on every attempt: what has been handled once is recognised by it.',
    schema: { type: 'string' },
    example: EVENT_ID,
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Seconds since 1970, of this attempt. Refuse a call of more than five minutes ago.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795269791',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more, separated by spaces: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, whose key is the base64 after `whsec_` in the secret. While two secrets are valid, there is one by each.',
    schema: { type: 'string' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
];

const taken: Json = { description: 'Taken. The body is not read.' };

const answersToEvents: Json = {
  '2XX': taken,
  410: { description: 'Gone: the webhook is deactivated.' },
  default: { description: 'Not taken, redirects included: it is sent again, ten times in all over some three days.' },
};

const answersToTests: Json = {
  '2XX': taken,
  default: { description: 'Not taken, redirects included. The answer to the client says which; nothing else happens.' },
};

const SENT_ONCE = 'Sent at once, to any webhook, and never again.';

const SENT_UNTIL_TAKEN =
  'Sent at least once and in no certain order: what has no larger `sequence` than is known already of its type and resource is old news.';

/** What the service sends to the client's webhooks. */
export function describeEvents(): Json {
  const described = events.map((event) => {
    const { schema, summary, data, isSentOnce } = event;
    const type = typeOf(event);
    const post = {
      operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      description: `${isSentOnce ? SENT_ONCE : SENT_UNTIL_TAKEN} By PUT where the webhook says so.`,
      tags: [EVENTS],
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
