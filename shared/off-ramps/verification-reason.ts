/** Why a deposit has not verified, told to the client (decisions.md 4, Reasons while not verified). */
export const verificationReasons = [
  'NOT_FOUND',
  'UNCONFIRMED',
  'WRONG_ADDRESS',
  'WRONG_TOKEN',
  'WRONG_AMOUNT',
  'WRONG_SENDER',
  'FAILED_ON_CHAIN',
  'HELD_BY_CUSTODIAN',
  'FUNDS_ANOTHER_OPERATION',
  'CUSTODIAN_UNAVAILABLE',
] as const;

export type VerificationReason = (typeof verificationReasons)[number];
