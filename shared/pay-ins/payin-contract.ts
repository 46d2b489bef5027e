import * as z from 'zod/mini';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { payinStatuses } from './payin.ts';
import { paymentMethod } from './rails/rail-specs.ts';

export const payinStatus = z.enum(payinStatuses);

documentValues('PayinStatus', payinStatus, 'How far a pay-in is.', {
  CASHININIT: 'It was created on PSE and waits for the payer.',
  PENDING: 'It was created on NEQUI or DAVIPLATA and waits for the payer.',
  COMPLETED: 'It was paid. Final.',
  FAILED: 'It was not paid. It becomes COMPLETED if money still arrives.',
  EXPIRED: 'It was not paid in time. It becomes COMPLETED if money still arrives.',
});

/** A pay-in as clients see it (interface 2.4). */
export const payin = z.object({
  id,
  status: payinStatus,
  currency: z.string(),
  amount: z.number(),
  paymentMethod,
  pseLink: z.optional(z.string()),
  externalReference: z.optional(z.string()),
});

documentObject('Payin', payin, "Fiat that is collected from one of the client's users.", {
  id: 'Id of the pay-in.',
  status: 'How far the pay-in is.',
  currency: { description: 'Currency of the amount, by ISO 4217: `COP`.', pattern: '^[A-Z]{3}$' },
  amount: { description: 'Amount to collect, with two decimals at most.', format: 'double' },
  paymentMethod: 'The rail that collects the money.',
  pseLink: { description: 'The page on which the user pays. Only with PSE, once the rail has made it.', format: 'uri' },
  externalReference: { description: "The client's own reference, if one was given.", minLength: 1, maxLength: 255 },
});

const payinStatusChange = z.object({ status: payinStatus, at: instant });

documentObject('PayinStatusChange', payinStatusChange, 'A status that a pay-in came to.', {
  status: 'The status.',
  at: 'When the pay-in came to it.',
});

/** The same with when it was made and every status it has had, oldest first. */
export const payinWithHistory = z.extend(payin, {
  createdAt: instant,
  statusHistory: z.array(payinStatusChange),
});

documentObject(
  'PayinWithHistory',
  payinWithHistory,
  'A pay-in with the time of its creation and its status history.',
  {
    createdAt: 'When the pay-in was created.',
    statusHistory: 'Every status that the pay-in has had, oldest first.',
  },
  payin,
);
