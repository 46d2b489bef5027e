import type * as z from 'zod/mini';
import { clientStatusChanged } from '#shared/clients/client-events.ts';
import { depositStatusChanged } from '#shared/off-ramps/contract/deposit-events.ts';
import {
  depositHashStatusChanged,
  depositHashWindowEnded,
  operationStatusChanged,
} from '#shared/off-ramps/contract/off-ramp-events.ts';
import { payinReversed, payinStatusChanged } from '#shared/pay-ins/pay-in-events.ts';
import { webhookTest } from '#shared/webhooks/contract/webhook-events.ts';
import {
  CLIENT_ID,
  DEPOSIT_ID,
  EVENT_ID,
  OPERATION_ID,
  PAYIN_ID,
  TX_HASH,
  USER_ID,
  WEBHOOK_ID,
} from '../example-ids.ts';
import { EVENTS } from './route-tags.ts';
import { type Json, schemaOf } from './schemas.ts';

interface DescribedEvent {
  readonly schema: z.ZodMiniObject<{ type: z.ZodMiniLiteral<string>; data: z.ZodMiniObject }>;
  readonly summary: string;
  readonly data: Json;
  /** On its client's request only, and never again. */
  readonly isSentOnce?: boolean;
}

/** Every event that there is: what else lists them is held against this. */
export const events: readonly DescribedEvent[] = [
  {
    schema: operationStatusChanged,
    summary: 'An off-ramp was created, or its status changed',
    data: {
      operationId: OPERATION_ID,
      userId: USER_ID,
      status: 'PENDING',
      previousStatus: 'AWAITING_DEPOSIT',
      sequence: 3,
    },
  },
  {
    schema: depositHashStatusChanged,
    summary: 'The status of the hash that funds an off-ramp changed',
    data: {
      operationId: OPERATION_ID,
      userId: USER_ID,
      status: 'VERIFIED',
      previousStatus: 'VERIFYING',
      sequence: 3,
      txHash: TX_HASH,
      verifiedTxHash: TX_HASH,
    },
  },
  {
    schema: depositHashWindowEnded,
    summary:
      'The last check of a reported hash was made, and its deposit has not verified; a new submission starts another verification',
    data: {
      operationId: OPERATION_ID,
      userId: USER_ID,
      attempt: 1,
      txHash: TX_HASH,
      reason: 'NOT_FOUND',
      windowEndsAt: '2026-11-21T14:03:11.000Z',
      status: 'VERIFYING',
      previousStatus: 'VERIFYING',
      sequence: 3,
    },
  },
  {
    schema: depositStatusChanged,
    summary: 'A deposit was seen, or its status changed',
    data: {
      depositId: DEPOSIT_ID,
      operationId: OPERATION_ID,
      userId: USER_ID,
      txHash: TX_HASH,
      status: 'UNMATCHED',
      previousStatus: 'DETECTED',
      reasons: ['WRONG_AMOUNT'],
      sequence: 2,
    },
  },
  {
    schema: payinStatusChanged,
    summary: 'A pay-in was created, or its status changed',
    data: { payinId: PAYIN_ID, userId: USER_ID, status: 'COMPLETED', previousStatus: 'CASHININIT', sequence: 3 },
  },
  {
    schema: payinReversed,
    summary: 'Money of a completed pay-in was taken back at the rail, or is there again',
    data: {
      payinId: PAYIN_ID,
      userId: USER_ID,
      status: 'COMPLETED',
      previousStatus: 'COMPLETED',
      sequence: 4,
      reversedAt: '2026-11-21T14:03:11.482Z',
      remainingAmount: 50000,
    },
  },
  {
    schema: clientStatusChanged,
    summary: 'The compliance review of the client came to another result',
    data: { clientId: CLIENT_ID, status: 'approved', previousStatus: 'pending', sequence: 2 },
  },
  {
    schema: webhookTest,
    summary: 'The client asked for it, to see that its endpoint takes what it is sent',
    data: { webhookId: WEBHOOK_ID },
    isSentOnce: true,
  },
];

export function typeOf({ schema }: DescribedEvent): string {
  return [...schema.shape.type.def.values].join();
}

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
