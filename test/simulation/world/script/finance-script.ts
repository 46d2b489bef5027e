/** A visit of a person of finance to the lists. */
export interface FinanceScript {
  readonly at: number;
  readonly person: string;
  /** First tries actions that must be refused. */
  readonly isWrong: boolean;
  /** Does not wait for an answer before the next call. */
  readonly isImpatient: boolean;
}

/** A client asks for the return of its deposits. */
export interface ReturnScript {
  readonly after: number;
  /** Also asks for deposits that are not returnable, and first names the declared wallet. */
  readonly isWrong: boolean;
  readonly isTwice: boolean;
}
