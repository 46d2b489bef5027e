/** Faults that nobody causes, with their probabilities per request. */
export interface Faults {
  /** Another transaction holds one of the items; only in tables that transactions write. */
  readonly conflict: number;
  readonly throttling: number;
  /** A partition is overloaded from now on, for some seconds. */
  readonly hotKey: number;
  /** A BatchGetItem leaves keys unprocessed. */
  readonly unprocessed: number;
  /** The legs of a transaction become visible one after another, with other reads in between. */
  readonly torn: number;
  /** The answer is lost, and the SDK sends the request again. */
  readonly repeat: number;
  /** No answer comes, even after the SDK's retries. */
  readonly loss: number;
}
