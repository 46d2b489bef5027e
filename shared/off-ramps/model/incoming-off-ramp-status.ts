import Big from 'big.js';
import * as z from 'zod/mini';
import { COMPLIANCE, envelopeId, incomingEventId, PAYOUTS, sanitiseName } from '#shared/events/incoming-events.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { id, instant, instantInput } from '#shared/platform/http/fields.ts';
import { endStatuses, type OffRamp, type OperationStatus, operationStatuses, type Payout } from './off-ramp.ts';

/** The most digits that a double holds exactly. */
const MOST_DIGITS = 15;

const either = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);
const text = z.catch(z.optional(z.string()), undefined);
const time = z.catch(z.optional(instantInput), undefined);

const written = z.object({ amount: either, currency: text, reference: either, paidAt: time });

/** Reads another service's payout as it is stored and shown. Leaves out an invalid field: the change goes on. */
export function readPayout(value: unknown): Payout | undefined {
  const { data } = written.safeParse(value);
  if (data === undefined) return undefined;
  const read = {
    amount: data.amount === undefined ? undefined : amountOf(data.amount),
    currency: data.currency !== undefined && /^[A-Za-z0-9]{2,12}$/.test(data.currency) ? data.currency : undefined,
    reference: data.reference === undefined ? undefined : sanitiseName(String(data.reference)),
    paidAt: data.paidAt === undefined ? undefined : timeOf(data.paidAt),
  };
  const known = Object.entries(read).filter(([, one]) => one !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function amountOf(amount: string | number): string | undefined {
  const isExact = typeof amount === 'string' || String(amount).replace(/\D/g, '').length <= MOST_DIGITS;
  return isExact ? canonicalAmount(amount) : undefined;
}

/** The time in UTC; `undefined` if its year then does not have four digits. */
function timeOf(paidAt: string): string | undefined {
  return instant.safeParse(new Date(paidAt).toISOString()).data;
}

/** An invented rate: pesos for each unit of any token. */
const RATE = 4000;

/** The sandbox's payout of an off-ramp: the same on every repeat. */
export function simulatedPayout({ operationId, amount }: Pick<OffRamp, 'operationId' | 'amount'>): Payout {
  const reference = `SANDBOX-${operationId}`;
  return { amount: new Big(amount).times(RATE).round(2).toFixed(), currency: 'COP', reference };
}

export const OPERATION_STATUS = 'operation.status';
export const PAYOUT_RETURNED = 'operation.payout_returned';

/** The longest reason, in characters. */
const LONGEST_REASON = 255;

/** The reason of an end. Clients read it in the operation's status history. */
export const statusReason = z.string().check(z.minLength(1), z.maxLength(LONGEST_REASON));

/** Another service's reason. It never stops the change: any value but a text is dropped, and a long text is cut. */
const receivedReason = z.pipe(
  z.unknown(),
  z.transform((value) =>
    typeof value === 'string' && value !== '' ? [...value].slice(0, LONGEST_REASON).join('') : undefined,
  ),
);

export const endStatus = z.enum(endStatuses);

documentValues('OperationEndStatus', endStatus, 'A final status of an off-ramp.', {
  COMPLETED: 'It was paid out.',
  CANCELLED: 'It was cancelled.',
  FAILED: 'It failed.',
});

const source = z.enum([COMPLIANCE, PAYOUTS]);

const detail = {
  operationId: id,
  eventId: z.optional(z.unknown()),
  reason: z.optional(receivedReason),
  payout: z.optional(z.pipe(z.unknown(), z.transform(readPayout))),
};

/** An off-ramp's status changed. Other members of the EventBridge envelope are ignored. */
export const operationStatusEvent = z.object({
  id: envelopeId,
  source,
  'detail-type': z.literal(OPERATION_STATUS),
  detail: z.object({ ...detail, status: z.enum(operationStatuses) }),
});

/** Money that was paid out has come back. */
export const payoutReturnedEvent = z.object({
  id: envelopeId,
  source,
  'detail-type': z.literal(PAYOUT_RETURNED),
  detail: z.object(detail),
});

/** Another service's report about an operation. */
export interface StatusReport {
  readonly operationId: string;
  readonly eventId: string;
  readonly source: string;
  readonly status: OperationStatus | 'PAYOUT_RETURNED';
  readonly reason?: string | undefined;
  readonly payout?: Payout | undefined;
}

/** The report in an event, with an identifier that is the same in every repeat. */
export function readStatusReport(
  event: z.infer<typeof operationStatusEvent> | z.infer<typeof payoutReturnedEvent>,
): StatusReport {
  const { operationId, eventId, reason, payout } = event.detail;
  const status = event['detail-type'] === OPERATION_STATUS ? event.detail.status : 'PAYOUT_RETURNED';
  const report = { operationId, source: event.source, status, reason, payout } as const;
  return { ...report, eventId: incomingEventId(eventId, event.id, report) };
}
