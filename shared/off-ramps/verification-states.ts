/** The states of the machine that polls for a hash, as finance operations read them. */
export const verificationStates = {
  check: 'Check with the custodian',
  decide: 'Deposit confirmed?',
  wait: 'Wait until the next check',
  verified: 'Deposit verified',
  windowEnded: 'Window ended',
  superseded: 'Superseded',
} as const;
