/** A person of finance goes through the lists. */
export interface FinanceScript {
  readonly at: number;
  readonly person: string;
  /** Tries at first what must be refused. */
  readonly isWrong: boolean;
  /** Does not wait for an answer before the next call. */
  readonly isImpatient: boolean;
}

/** A client asks its deposits back. */
export interface ReturnScript {
  readonly after: number;
  /** Asks for what is not returnable, too, and to the declared wallet at first. */
  readonly isWrong: boolean;
  readonly isTwice: boolean;
}
