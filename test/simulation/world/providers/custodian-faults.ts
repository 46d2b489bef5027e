/** Probabilities of one answer. */
export interface CustodianFaults {
  readonly unavailable: number;
  /** A page of its list is not answered. */
  readonly unlisted: number;
  /** It takes seconds. */
  readonly slow: number;
  /** It says what was so some seconds ago. */
  readonly stale: number;
  /** It is 429, as far as the custodian limits its calls. */
  readonly limited: number;
}

/** What is no fault of it. Probabilities. */
export interface CustodianManners {
  /** It writes hexadecimal addresses and hashes in capitals. */
  readonly otherSpelling: number;
  /** Of an operation on Stellar: its address is the one account of all, with a tag of its own. */
  readonly sharedAccount: number;
  /** Of one of these: it is the first, and has the account itself. */
  readonly wholeAccount: number;
  /** Of a round: it is Fireblocks, in the shapes of whose records all is said. */
  readonly isFireblocks: number;
}
