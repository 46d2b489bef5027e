import * as z from 'zod/mini';
import { nameOf } from '#shared/events/incoming-events.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import { instant, instantIn } from '#shared/platform/http/fields.ts';
import type { Payout } from './payout.ts';

/** Digits that a double holds exactly. */
const MOST_DIGITS = 15;

const either = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);
const text = z.catch(z.optional(z.string()), undefined);
const time = z.catch(z.optional(instantIn), undefined);

const written = z.object({ amount: either, currency: text, reference: either, paidAt: time });

/**
 * What another service writes of a payout, as it is kept and shown: a bad field is left out and never stops the change that
 * it comes with.
 */
export function readPayout(value: unknown): Payout | undefined {
  const { data } = written.safeParse(value);
  if (data === undefined) return undefined;
  const read = {
    amount: data.amount === undefined ? undefined : amountOf(data.amount),
    currency: data.currency !== undefined && /^[A-Za-z0-9]{2,12}$/.test(data.currency) ? data.currency : undefined,
    reference: data.reference === undefined ? undefined : nameOf(String(data.reference)),
    paidAt: data.paidAt === undefined ? undefined : timeOf(data.paidAt),
  };
  const known = Object.entries(read).filter(([, one]) => one !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function amountOf(amount: string | number): string | undefined {
  const isExact = typeof amount === 'string' || String(amount).replace(/\D/g, '').length <= MOST_DIGITS;
  return isExact ? canonicalAmount(amount) : undefined;
}

/** In UTC, where one with an offset may be in a year that has no four digits. */
function timeOf(paidAt: string): string | undefined {
  return instant.safeParse(new Date(paidAt).toISOString()).data;
}
