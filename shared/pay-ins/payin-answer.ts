import type * as z from 'zod/mini';
import type { getPayin } from './get-payin-contract.ts';
import type { Payin } from './payin.ts';
import type { payin as payinSchema } from './payin-contract.ts';

/** A pay-in as its client sees it (interface 2.4). Pesos with two decimals are exact as a JSON number. */
export function describePayin(payin: Payin): z.infer<typeof payinSchema> {
  const { payinId, status, currency, amount, paymentMethod, pseLink, externalReference } = payin;
  return {
    id: payinId,
    status,
    currency,
    amount: Number(amount),
    paymentMethod,
    ...(pseLink !== undefined && { pseLink }),
    ...(externalReference !== undefined && { externalReference }),
  };
}

export function describePayinWithHistory(payin: Payin): z.infer<typeof getPayin.success.body> {
  return { ...describePayin(payin), createdAt: payin.createdAt, statusHistory: [...payin.statusHistory] };
}
