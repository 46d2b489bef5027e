import type * as z from 'zod/mini';
import {
  CLIENT_ID,
  DEPOSIT_ID,
  OPERATION_ID,
  PAYIN_ID,
  TX_HASH,
  USER_ID,
  WEBHOOK_ID,
} from '#infra/platform/example-ids.ts';
import { clientStatusChanged } from '#shared/clients/client-contract.ts';
import {
  depositHashStatusChanged,
  depositHashWindowEnded,
  depositStatusChanged,
  operationStatusChanged,
} from '#shared/off-ramps/contract/off-ramp-events.ts';
import { payinReversed, payinStatusChanged } from '#shared/pay-ins/pay-in-events.ts';
import { webhookTest } from '#shared/webhooks/contract/webhook-events.ts';

interface DescribedEvent {
  readonly schema: z.ZodMiniObject<{ type: z.ZodMiniLiteral<string>; data: z.ZodMiniObject }>;
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Sent only at the client's request, and never again. */
  readonly isSentOnce?: boolean;
}

/** Every event of the service: tests compare all other lists with this one. */
export const publishedEvents: readonly DescribedEvent[] = [
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
      'The last check of a reported hash did not verify its deposit; a new submission starts another verification',
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
    summary: "The result of the client's compliance review changed",
    data: { clientId: CLIENT_ID, status: 'approved', previousStatus: 'pending', sequence: 2 },
  },
  {
    schema: webhookTest,
    summary: 'The client requested it, to test its endpoint',
    data: { webhookId: WEBHOOK_ID },
    isSentOnce: true,
  },
];

export function eventTypeOf({ schema }: DescribedEvent): string {
  return [...schema.shape.type.def.values].join();
}
