import * as z from 'zod/mini';
import { txHash } from '#shared/networks/network.ts';
import { depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { offRamp, payout } from '#shared/off-ramps/model/off-ramp.ts';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { timeZone } from '#shared/platform/time-zone.ts';

/** A day of a time zone, from midnight to midnight by its clocks. */
const day = z.iso.date().check(z.regex(/^(19[7-9]|2\d\d)\d/, 'must be a day from 1970 to 2999'));

/** Lines of whole days, page by page. A page names its days, so that the next one has the same. */
function reportOf<Line extends z.ZodMiniObject>(name: string, summary: string, line: Line) {
  return lookup({
    name,
    summary: `${summary} For whole days, both included, in a time zone (--zone America/Bogota), by default yesterday; the last seconds may be missing.`,
    query: z.strictObject({
      from: z.optional(day),
      to: z.optional(day),
      /** The time zone of the days; by default the stage's. */
      zone: z.optional(timeZone),
      /** Lines of this client alone. */
      client: z.optional(id),
      cursor: z.optional(instant),
    }),
    answer: z.object({
      from: day,
      to: day,
      zone: z.string(),
      /** Each line with its day. */
      items: z.array(z.extend(line, { day })),
      nextCursor: z.optional(instant),
    }),
    errors: [apiErrors.SERVICE_UNAVAILABLE],
  });
}

/** A credited deposit, and the current state of its off-ramp. */
export const creditedLine = z.object({
  creditedAt: instant,
  ...z.pick(offRamp, { operationId: true, clientId: true, userId: true, network: true, token: true, amount: true })
    .shape,
  ...z.pick(offRamp, { status: true }).shape,
  /** When the off-ramp was paid out or ended otherwise. */
  endedAt: z.optional(instant),
  txHash,
  custodianTransferId: z.string(),
  ...z.pick(offRamp, { address: true, senderAddress: true, createdAt: true, externalReference: true }).shape,
  /** Whether the deposit is still there: `REVERSED` when it was taken back. */
  depositStatus: z.optional(depositStatus),
  /** The payout, as far as the payout service has reported it. */
  payoutAmount: payout.shape.amount,
  payoutCurrency: payout.shape.currency,
  payoutReference: payout.shape.reference,
  paidAt: payout.shape.paidAt,
});

export const reportOfframpsContract = reportOf(
  'report-offramps',
  'Credited deposits: totals per day, client, token and status of the off-ramp and of the deposit; with --csv a line each.',
  creditedLine,
);

/** A pay-in that was paid. */
export const completedLine = z.object({
  completedAt: instant,
  ...z.pick(payin, { payinId: true, clientId: true, userId: true, paymentMethod: true, currency: true, amount: true })
    .shape,
  ...z.pick(payin, { status: true, createdAt: true, externalReference: true }).shape,
  /** The current part of the order at the rail. */
  settlement: z.enum(['IN_FULL', 'TOO_MUCH', 'TAKEN_BACK_IN_PART', 'TAKEN_BACK']),
  /** The amount at the rail in the currency of the order. */
  amountAtRail: z.string(),
  ...z.pick(payin, { reversedAt: true }).shape,
});

export const reportPayinsContract = reportOf(
  'report-payins',
  'Completed pay-ins: totals per day, client, rail and current settlement; with --csv a line each.',
  completedLine,
);
