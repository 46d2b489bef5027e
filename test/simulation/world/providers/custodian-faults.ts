/** Probabilities of one answer. */
export interface CustodianFaults {
  readonly unavailable: number;
  /** A page of its list is not answered. */
  readonly unlisted: number;
  /** The answer takes seconds. */
  readonly slow: number;
  /** The answer is some seconds old. */
  readonly stale: number;
  /** The answer is 429, for calls that the custodian limits. */
  readonly limited: number;
}

/** Habits of the custodian that are no faults. Probabilities. */
export interface CustodianManners {
  /** It writes hexadecimal addresses and hashes in capitals. */
  readonly otherSpelling: number;
  /** On Stellar: an operation gets the shared account with its own tag. */
  readonly sharedAccount: number;
  /** The first operation on a shared account gets the account itself, without a tag. */
  readonly wholeAccount: number;
  /** For a whole round: the custodian is Fireblocks, and answers in the shapes of its records. */
  readonly isFireblocks: number;
  /** Per transfer to an account of Fireblocks that is final: it moves on to the treasury, in one record in and out. */
  readonly swept: number;
  /** For a whole round: lists of Fireblocks have no `next-page`. */
  readonly hasNoNextPage: number;
}
