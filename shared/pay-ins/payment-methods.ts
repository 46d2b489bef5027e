import * as z from 'zod/mini';
import { keysOf } from '#shared/platform/collections.ts';
import { documentValues } from '#shared/platform/http/document.ts';

/** The smallest and the largest pay-in, in pesos. */
export interface AmountBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** All facts about a payment method (decisions.md 5); the adapter of its rail knows the format of the provider. */
export interface PaymentMethodSpec extends AmountBounds {
  /** The source of the money: a bank of the bank list, or the payer's phone. */
  readonly collectsFrom: 'bank' | 'phone';
  readonly firstStatus: 'CASHININIT' | 'PENDING';
  /** True if the creation of a pay-in must answer with the page on which the user pays: `pseLink` of the interface. */
  readonly hasLink: boolean;
}

const BOUNDS: AmountBounds = { minimum: 1500, maximum: 50_000_000 };

export const paymentMethods = {
  PSE: { ...BOUNDS, collectsFrom: 'bank', firstStatus: 'CASHININIT', hasLink: true },
  NEQUI: { ...BOUNDS, collectsFrom: 'phone', firstStatus: 'PENDING', hasLink: false },
  DAVIPLATA: { ...BOUNDS, collectsFrom: 'phone', firstStatus: 'PENDING', hasLink: false },
} as const satisfies Readonly<Record<string, PaymentMethodSpec>>;

/** How the payer pays; the stage says which rail, the provider, collects it. */
export type PaymentMethod = keyof typeof paymentMethods;

/** The rail whose list of banks applies: the rail of the method that collects from a bank account. */
export function bankRailOf<Rail>(rails: Readonly<Partial<Record<PaymentMethod, Rail>>>): Rail | undefined {
  const ofBanks = keysOf(paymentMethods).find((method) => paymentMethods[method].collectsFrom === 'bank');
  return ofBanks && rails[ofBanks];
}

export const paymentMethod = z.enum(keysOf(paymentMethods));

documentValues('PaymentMethod', paymentMethod, 'The method by which the payer pays.', {
  PSE: "A transfer from the payer's bank, started from a link.",
  NEQUI: 'The wallet NEQUI, by phone number.',
  DAVIPLATA: 'The wallet DAVIPLATA, by phone number.',
});
