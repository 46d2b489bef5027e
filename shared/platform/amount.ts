import Big from 'big.js';

/** The most digits after the point of an amount, for any token. */
export const MOST_DECIMALS = 18;

/**
 * Up to 30 digits before the point and 18 after it: more than any token needs, and far below the limit of a database
 * key.
 */
const DECIMAL = /^\d{1,30}(\.\d{1,18})?$/;

/**
 * Up to 78 digits on either side of the point, the length of a chain's largest number, so that no real amount is
 * rejected.
 */
export const READABLE_AMOUNT = /^\d{1,78}(\.\d{1,78})?$/;

/** The shortest text of a plain decimal amount, zero included; `undefined` for any other text. */
export function readAmount(text: string): string | undefined {
  return READABLE_AMOUNT.test(text) ? new Big(text).toFixed() : undefined;
}

/**
 * The canonical text of a positive decimal amount: `1`, `1.0` and `1.000000` are all `1`, so that equal amounts are
 * equal texts. `undefined` for anything but a positive plain decimal. A number must be one that a double holds exactly.
 */
export function canonicalAmount(given: string | number): string | undefined {
  const text = typeof given === 'number' ? new Big(given).toFixed() : given;
  if (!DECIMAL.test(text)) return undefined;
  const amount = new Big(text);
  return amount.gt(0) ? amount.toFixed() : undefined;
}

/** Digits after the point of a canonical amount. */
export function decimalPlaces(canonical: string): number {
  return canonical.split('.')[1]?.length ?? 0;
}

/** Negative, zero or positive as the first canonical amount is less than, equal to or more than the second. */
export function compareAmounts(one: string, other: string): number {
  return new Big(one).cmp(other);
}

/** The rest of an amount as canonical text; `undefined` when nothing is left. */
export function remainingAmount(amount: string, less: string): string | undefined {
  const left = new Big(amount).minus(less);
  return left.gt(0) ? left.toFixed() : undefined;
}

/** The exact sum of two decimal amounts. */
export function addAmounts(one: string, other: string): string {
  return new Big(one).plus(other).toFixed();
}

/** The exact difference of two decimal amounts, negative if the second is larger. */
export function amountDifference(one: string, other: string): string {
  return new Big(one).minus(other).toFixed();
}

/** The canonical text of a provider's plain decimal, zero included: trailing zeros do not count as decimals. */
export function plainDecimal(text: string): string {
  return new Big(text).toFixed();
}
