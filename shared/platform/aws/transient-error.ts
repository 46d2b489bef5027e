/** Transient errors of AWS: another transaction holds the item, or requests are throttled. */
const TRANSIENT: readonly string[] = [
  'TransactionConflict',
  'TransactionInProgress',
  'Throttling',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
];

/** An error is named `ThrottlingException` when it is thrown, and `ThrottlingError` as the reason of a cancelled leg. */
export function isTransient(code: string | undefined): boolean {
  return code !== undefined && TRANSIENT.includes(code.replace(/(Exception|Error)$/, ''));
}

/** Of those: AWS is asked for more than it gives, by whomever. */
export function isThrottled(code: string): boolean {
  return isTransient(code) && !code.startsWith('Transaction');
}
