import * as z from 'zod/mini';
import { offRamp } from '#shared/off-ramps/off-ramp.ts';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { instant } from '#shared/platform/http/fields.ts';

/** A day in UTC, from its midnight to the next. */
const day = z.iso.date();

/** Lines of whole days, page by page. A page says which days it is of, so that the next one is of the same. */
function reportOf<Line extends z.ZodMiniType>(name: string, summary: string, line: Line) {
  return lookup({
    name,
    summary: `${summary} Of whole days in UTC, both included, yesterday unless others are given; what was done in the last seconds may be missing.`,
    query: z.object({ from: z.optional(day), to: z.optional(day), cursor: z.optional(instant) }),
    answer: z.object({ from: day, to: day, items: z.array(line), nextCursor: z.optional(instant) }),
    errors: ['SERVICE_UNAVAILABLE'],
  });
}

/** A credited deposit, and what has become of its off-ramp since then. */
export const creditedLine = z.object({
  creditedAt: instant,
  ...z.pick(offRamp, { operationId: true, clientId: true, userId: true, network: true, token: true, amount: true })
    .shape,
  ...z.pick(offRamp, { status: true }).shape,
  /** When the off-ramp was paid out, or ended otherwise. */
  endedAt: z.optional(instant),
  txHash: z.string(),
  custodianTransferId: z.string(),
  ...z.pick(offRamp, { address: true, senderAddress: true, createdAt: true, externalReference: true }).shape,
});

export const reportOfframps = reportOf(
  'report-offramps',
  'Credited deposits: totals per day, client, token and status of the off-ramp; with --csv a line each.',
  creditedLine,
);

/** A pay-in that was paid. */
export const completedLine = z.object({
  completedAt: instant,
  ...z.pick(payin, { payinId: true, clientId: true, userId: true, paymentMethod: true, currency: true, amount: true })
    .shape,
  ...z.pick(payin, { status: true, createdAt: true, externalReference: true }).shape,
});

export const reportPayins = reportOf(
  'report-payins',
  'Completed pay-ins: totals per day, client and rail; with --csv a line each.',
  completedLine,
);
