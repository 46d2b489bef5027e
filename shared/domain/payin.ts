/** decisions.md 5. A PSE pay-in begins as CASHININIT, the others as PENDING. */
export const payinStatuses = ['CASHININIT', 'PENDING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;

export type PayinStatus = (typeof payinStatuses)[number];

export const rails = ['PSE', 'NEQUI', 'DAVIPLATA'] as const;

/** The payment method that collects the money. */
export type Rail = (typeof rails)[number];

export interface Payin {
  readonly payinId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly status: PayinStatus;
  /** Grows by one with every change of the status. */
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
  readonly createdAt: string;
  readonly statusHistory: readonly { readonly status: PayinStatus; readonly at: string }[];
}

export function initialStatus(rail: Rail): PayinStatus {
  return rail === 'PSE' ? 'CASHININIT' : 'PENDING';
}

const open: readonly PayinStatus[] = ['CASHININIT', 'PENDING'];

export function isOpen(status: PayinStatus): boolean {
  return open.includes(status);
}

/** An open pay-in may end in any way; money that arrives after the expiry is money all the same. */
export function mayPayinBecome(from: PayinStatus, to: PayinStatus): boolean {
  return (isOpen(from) && !isOpen(to)) || (from === 'EXPIRED' && to === 'COMPLETED');
}

const MOBILE_NUMBER = /^(?:\+57)?(3\d{9})$/;

/** The ten digits of a Colombian mobile number, with or without +57; `undefined` for anything else. */
export function normalisePhone(text: string): string | undefined {
  return MOBILE_NUMBER.exec(text)?.[1];
}
