/** What is left in AWS, besides the tables, when a round is over. */
export interface Remains {
  readonly executions: readonly Execution[];
  /** Bodies that are in a queue, visible or not, by its name. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  /** Bodies that are in a queue of dead letters, by its name. */
  readonly deadLetters: ReadonlyMap<string, readonly string[]>;
  /** Events that the bus could not deliver for a day. They are dead letters, too, for which the service can do nothing. */
  readonly undelivered: readonly string[];
  /** Whether the tables refused requests that they could have taken: what was decided is decided again, for seconds. */
  readonly tablesRefused: boolean;
  /** Folders of functions that AWS has stopped, because they called themselves. */
  readonly stopped: readonly string[];
}

interface Execution {
  readonly name: string;
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** State transitions so far, which is what Step Functions charges. */
  readonly transitions: number;
}
