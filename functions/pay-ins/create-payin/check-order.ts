import type * as z from 'zod/mini';
import type { User } from '#shared/clients/user.ts';
import { normalisePhone, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { type AmountBounds, type PaymentMethod, paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import type { PayerField, RailMethods } from '#shared/pay-ins/rails/payment-rail.ts';
import { canonicalAmount, compareAmounts, decimalPlaces } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type FieldError, invalid } from '#shared/platform/http/api-error.ts';
import { authorityOf, isUri } from '#shared/platform/http/fields.ts';

type Body = z.infer<typeof createPayinContract.body>;

export interface OrderRules {
  readonly bounds: Readonly<Record<PaymentMethod, AmountBounds>>;
  /** The rail that collects by each method; a method without one is not served. */
  readonly railByMethod: Readonly<Partial<Record<PaymentMethod, string>>>;
  readonly methodsByRail: Readonly<Record<string, RailMethods>>;
  readonly isActiveBank: (code: string) => Promise<boolean>;
  /** True outside production, for tests: redirects may use plain http. */
  readonly allowsHttpRedirect: boolean;
  readonly clock: Clock;
}

/** The checked fields of the request, as the pay-in stores them. */
export type CheckedOrder = Pick<Payin, keyof Body | 'rail'>;

/**
 * Checks the rules of the payment method (decisions.md 5).
 *
 * @throws {ApiError} VALIDATION_FAILED with a line for each broken rule
 */
export async function checkOrder(rules: OrderRules, body: Body, user: User): Promise<CheckedOrder> {
  const { paymentMethod } = body;
  const { collectsFrom } = paymentMethods[paymentMethod];
  const rail = rules.railByMethod[paymentMethod];
  const amount = canonicalAmount(body.amount);
  const bank = collectsFrom === 'bank' ? body.bank : undefined;
  const phone = collectsFrom === 'phone' ? normalisePhone(body.phone ?? user.phone ?? '') : undefined;
  const errors = [
    rail === undefined ? methodNotServed(rules) : undefined,
    checkAmount(amount, rules.bounds[paymentMethod]),
    collectsFrom === 'bank' ? await checkBank(rules, paymentMethod, bank) : undefined,
    collectsFrom === 'phone' && phone === undefined ? phoneError(body.phone) : undefined,
    checkRedirect(rules, body.redirectUrl),
    checkExpiration(rules, body.expirationDate),
    checkPayer(rules.methodsByRail[rail ?? '']?.[paymentMethod].requires ?? [], user),
  ].filter((error) => error !== undefined);
  if (rail === undefined || amount === undefined || errors.length > 0) throw invalid(...errors);
  return { ...body, rail, amount, bank, phone };
}

function methodNotServed({ railByMethod }: OrderRules): FieldError {
  const message = `must be a method that is served here: ${Object.keys(railByMethod).join(', ')}`;
  return { path: 'body.paymentMethod', code: 'METHOD_NOT_SUPPORTED', message };
}

function checkAmount(amount: string | undefined, { minimum, maximum }: AmountBounds): FieldError | undefined {
  const isPayable =
    amount !== undefined &&
    decimalPlaces(amount) <= 2 &&
    compareAmounts(amount, String(minimum)) >= 0 &&
    compareAmounts(amount, String(maximum)) <= 0;
  const message = `must be pesos from ${minimum} to ${maximum}, whole or with two decimals`;
  return isPayable ? undefined : { path: 'body.amount', code: 'INVALID_AMOUNT', message };
}

async function checkBank(
  { isActiveBank }: OrderRules,
  paymentMethod: PaymentMethod,
  bank: string | undefined,
): Promise<FieldError | undefined> {
  if (bank === undefined) return { path: 'body.bank', code: 'REQUIRED', message: `is required for ${paymentMethod}` };
  if (await isActiveBank(bank)) return undefined;
  return { path: 'body.bank', code: 'BANK_NOT_ACTIVE', message: 'must be the code of an active bank of the bank list' };
}

function phoneError(phone: string | undefined): FieldError {
  return phone === undefined
    ? { path: 'body.phone', code: 'REQUIRED', message: 'is required, because the user has no registered phone' }
    : {
        path: 'body.phone',
        code: 'INVALID_FORMAT',
        message: 'must be ten digits starting with 3, with or without +57',
      };
}

/** The payer's data as a rail gets them: the phone as ten digits. */
export function payerOf({ payer, phone }: User) {
  return { ...payer, phone: normalisePhone(phone ?? '') };
}

/** Checks that the user's record has the data that the rail requires (decisions.md 5, What the payer is asked). */
function checkPayer(required: readonly PayerField[], user: User): FieldError | undefined {
  const payer = payerOf(user);
  const missing = required.filter((field) => !payer[field]);
  const message = `must be a user whose record has what the payment rail requires of the payer; it lacks ${missing.join(', ')}`;
  return missing.length === 0 ? undefined : { path: 'path.user_id', code: 'PAYER_DATA_MISSING', message };
}

/** Checks the URL as written, because the rail gets it unchanged, and as the published `format: uri` says. */
function checkRedirect({ allowsHttpRedirect }: OrderRules, text: string | undefined): FieldError | undefined {
  if (text === undefined) return undefined;
  const authority = isUri(text) ? authorityOf(text) : undefined;
  const isSecure = authority !== undefined && new URL(text).protocol === 'https:';
  if (authority !== undefined && !authority.includes('@') && (isSecure || allowsHttpRedirect)) return undefined;
  const message =
    'must be an absolute https URL without user name and password; characters that no URI has are percent-encoded';
  return { path: 'body.redirectUrl', code: 'INVALID_FORMAT', message };
}

/** Days: the rail is polled until a pay-in has expired. */
const LATEST_EXPIRATION = 30;

function checkExpiration({ clock }: OrderRules, expiration: string | undefined): FieldError | undefined {
  if (expiration === undefined) return undefined;
  const path = 'body.expirationDate';
  const ahead = Date.parse(expiration) - clock.now().getTime();
  if (ahead <= 0) return { path, code: 'NOT_IN_FUTURE', message: 'must be in the future' };
  if (ahead <= LATEST_EXPIRATION * 24 * 3600 * 1000) return undefined;
  return { path, code: 'TOO_FAR_AHEAD', message: `must be at most ${LATEST_EXPIRATION} days ahead` };
}
