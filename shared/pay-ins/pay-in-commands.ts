import * as z from 'zod/mini';
import { command } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { payin } from './pay-in.ts';

const AMOUNT = /^\d{1,30}(\.\d{1,18})?$/;

const ofPayin = z.object({ payinId: id });

export const pollPayin = command({
  name: 'poll-payin',
  summary: 'Asks the rail for the payment of a pay-in, within a minute.',
  input: ofPayin,
  answer: z.object({ payinId: id, nextPollAt: instant }),
  errors: ['PAYIN_NOT_FOUND', 'PAYIN_STATUS_CONFLICT'],
});

export const endPayin = command({
  name: 'end-payin',
  summary:
    'Ends a pay-in for which another amount was paid, once it is settled with the client: an open one has failed.',
  /** The amount that is settled, as `mismatched` shows it: what was paid since then is not. */
  input: z.extend(ofPayin, {
    paidAmount: z.string().check(z.regex(AMOUNT, 'must be an amount such as 14000 or 14000.5')),
  }),
  answer: z.object({ payinId: id, ...z.pick(payin, { status: true, settlementMismatch: true }).shape }),
  errors: ['PAYIN_NOT_FOUND', 'PAYIN_STATUS_CONFLICT', 'SERVICE_UNAVAILABLE'],
});
