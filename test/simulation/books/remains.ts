/** What is left in AWS at the end of a round, apart from the tables. */
export interface Remains {
  readonly executions: readonly Execution[];
  /** Bodies of messages in a queue, visible or not, by the queue's name. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
  /** Bodies in a dead-letter queue, by the name of its source queue. */
  readonly deadLetters: ReadonlyMap<string, readonly string[]>;
  /** Events that the bus could not deliver for a day. They are dead letters that the service cannot influence. */
  readonly undelivered: readonly string[];
  /** True if the tables refused requests that they could have taken, so that decisions were repeated for seconds. */
  readonly tablesRefused: boolean;
  /** Folders of functions that AWS has stopped because they called themselves. */
  readonly stopped: readonly string[];
}

interface Execution {
  readonly name: string;
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** State transitions so far, which Step Functions charges for. */
  readonly transitions: number;
}
