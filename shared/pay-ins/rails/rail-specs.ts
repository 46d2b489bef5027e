import type { Payin, PayinStatus, Rail } from '#shared/pay-ins/payin.ts';

/** The smallest and the largest pay-in, in pesos. */
export interface AmountBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** All that the service knows of a rail (decisions.md 5); what it says to the rail's provider is the adapter's. */
export interface RailSpec extends AmountBounds {
  /** What says where the money comes from: a bank of the bank list, or the payer's phone. */
  readonly collectsFrom: Extract<keyof Payin, 'bank' | 'phone'>;
  readonly firstStatus: PayinStatus;
  /** Whether the user pays at a link, which the rail makes. */
  readonly hasLink: boolean;
}

const BOUNDS: AmountBounds = { minimum: 1500, maximum: 50_000_000 };

export const railSpecs: Readonly<Record<Rail, RailSpec>> = {
  PSE: { ...BOUNDS, collectsFrom: 'bank', firstStatus: 'CASHININIT', hasLink: true },
  NEQUI: { ...BOUNDS, collectsFrom: 'phone', firstStatus: 'PENDING', hasLink: false },
  DAVIPLATA: { ...BOUNDS, collectsFrom: 'phone', firstStatus: 'PENDING', hasLink: false },
};
