import * as z from 'zod/mini';
import { documentObject } from '#shared/platform/http/document.ts';
import { instant } from '#shared/platform/http/fields.ts';

/** What was paid out, as the payout service says it: it owes the amount to nobody but the user, and we know no rate. */
export const payout = z.object({
  /** Canonical decimal, in units of the currency. */
  amount: z.optional(z.string()),
  currency: z.optional(z.string()),
  /** The payout service's own name of the payout: another one is another payout. */
  reference: z.optional(z.string()),
  paidAt: z.optional(instant),
});

export type Payout = Readonly<z.infer<typeof payout>>;

documentObject('Payout', payout, 'What was paid out, as far as the payout service has said it.', {
  amount: { description: 'How much, in units of the currency, as a decimal text.', pattern: '^\\d+(\\.\\d+)?$' },
  currency: 'The currency, for example `COP`.',
  reference: 'The name of the payout at the payout service, to ask it by.',
  paidAt: 'When the money was final.',
});
