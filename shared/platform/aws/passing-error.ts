/** What AWS does not do now and may do a moment later: another transaction holds the item, or it is throttling. */
const PASSING: readonly string[] = [
  'TransactionConflict',
  'TransactionInProgress',
  'Throttling',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
];

/** An error is named `ThrottlingException` when it is thrown, and `ThrottlingError` as the reason of a cancelled leg. */
export function isPassing(code: string | undefined): boolean {
  return code !== undefined && PASSING.includes(code.replace(/(Exception|Error)$/, ''));
}

/** Of those: AWS is asked for more than it gives, by whomever. */
export function isThrottled(code: string): boolean {
  return isPassing(code) && !code.startsWith('Transaction');
}
