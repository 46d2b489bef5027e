import type { VerificationReason } from '#shared/off-ramps/verification.ts';

/** What the custodian said of a reported hash. */
export const reasonsInWords: Readonly<Record<VerificationReason, string>> = {
  NOT_FOUND: 'The custodian knows no transaction with this hash that this client may see.',
  UNCONFIRMED: 'The transaction is there, and not final yet.',
  WRONG_ADDRESS: 'The transaction was sent to another address than that of the operation.',
  WRONG_TOKEN: 'The transaction is of another token, or on another network.',
  WRONG_AMOUNT: 'The transaction has another amount than exactly the one that the operation awaits.',
  WRONG_SENDER: 'The transaction was sent from another wallet than the declared one.',
  FAILED_ON_CHAIN: 'The transaction failed on its network.',
  HELD_BY_CUSTODIAN: 'The custodian holds the deposit for a review.',
  FUNDS_ANOTHER_OPERATION: 'The transaction funds another operation of this client.',
  CUSTODIAN_UNAVAILABLE: 'The custodian does not answer.',
};
