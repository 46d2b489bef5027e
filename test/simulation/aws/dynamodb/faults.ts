/** What goes wrong without anybody's fault, each with its probability per request. */
export interface Faults {
  /** Another transaction has one of the items; of tables that transactions write. */
  readonly conflict: number;
  readonly throttling: number;
  /** From now on, and for some seconds, more is asked of one partition than it can do. */
  readonly hotKey: number;
  /** A BatchGetItem leaves keys out. */
  readonly unprocessed: number;
  /** The legs of a transaction are written one after another, and others look in between. */
  readonly torn: number;
  /** The answer is lost, and the SDK sends the request again. */
  readonly repeat: number;
  /** No answer comes, however often it is sent. */
  readonly loss: number;
}
