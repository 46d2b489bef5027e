import type { Rail } from './rails/rail-specs.ts';

/** decisions.md 5. A PSE pay-in begins as CASHININIT, the others as PENDING. */
export const payinStatuses = ['CASHININIT', 'PENDING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;

export type PayinStatus = (typeof payinStatuses)[number];

export interface Payin {
  readonly payinId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly status: PayinStatus;
  /** Grows by one with every write that was decided on the pay-in as it was read. */
  readonly sequence: number;
  readonly currency: 'COP';
  /** Canonical decimal, in pesos. */
  readonly amount: string;
  readonly paymentMethod: Rail;
  /** Code of the payer's bank, for PSE. */
  readonly bank?: string | undefined;
  /** Ten digits, for NEQUI and DAVIPLATA. */
  readonly phone?: string | undefined;
  readonly redirectUrl?: string | undefined;
  readonly externalReference?: string | undefined;
  /** RFC 3339, as the client gave it. */
  readonly expirationDate?: string | undefined;
  /** Where the user pays, for PSE, once the rail has made it. */
  readonly pseLink?: string | undefined;
  /** When the rail was last asked to collect; written before it is asked. Without it nothing can have been paid. */
  readonly orderingSince?: string | undefined;
  /** The rail was paid something else than what was ordered: for finance operations. Clients do not see it. */
  readonly settlementMismatch?: SettlementMismatch | undefined;
  readonly createdAt: string;
  readonly statusHistory: readonly { readonly status: PayinStatus; readonly at: string }[];
}

interface SettlementMismatch {
  /** As the rail tells it. */
  readonly amount: string;
  readonly currency: string;
  readonly at: string;
}

const open: readonly PayinStatus[] = ['CASHININIT', 'PENDING'];

export function isOpen(status: PayinStatus): boolean {
  return open.includes(status);
}

/** An open pay-in may end in any way. Money that arrives after another end is money all the same; it ends all change. */
export function mayPayinBecome(from: PayinStatus, to: PayinStatus): boolean {
  return isOpen(from) ? !isOpen(to) : from !== 'COMPLETED' && to === 'COMPLETED';
}

/** The time until which its client wants it paid is over. */
export function hasExpired({ expirationDate }: Payin, now: Date): boolean {
  return expirationDate !== undefined && now.getTime() > Date.parse(expirationDate);
}

const MOBILE_NUMBER = /^(?:\+57)?(3\d{9})$/;

/** The ten digits of a Colombian mobile number, with or without +57; `undefined` for anything else. */
export function normalisePhone(text: string): string | undefined {
  return MOBILE_NUMBER.exec(text)?.[1];
}
