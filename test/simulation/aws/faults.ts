/*
 * Every fault of AWS, with the probability that it has where it is switched on: often enough to meet one another in a
 * round, seldom enough to let most of it go well.
 */
export const awsFaults = {
  /** Of invocations: that they die in the middle; that others go on first, for a moment or for long. */
  processes: { death: 0.02, delay: 0.25, stall: 0.003 },
  /** Of one request to DynamoDB. */
  tables: { conflict: 0.01, throttling: 0.003, repeat: 0.004, loss: 0.002 },
  /** Of one write, and of one read that is not consistent. */
  reads: { indexLag: 0.2, stale: 0.5 },
  /** Of one call of a function. */
  functions: { throttling: 0.01, coldStart: 0.05, skew: 0.5 },
  /** Of one message, and of one request to SQS. */
  queues: { duplicate: 0.05, undeleted: 0.02, refusal: 0.005, repeat: 0.005, loss: 0.005 },
  /** Of one event, and of one request to EventBridge. */
  bus: { entryRefusal: 0.02, duplicate: 0.05, undelivered: 0.02, outage: 0.001, refusal: 0.01, repeat: 0.01, loss: 0.01 },
  /** Of one request to Step Functions, and of one step of an execution. */
  executions: { start: 0.03, abort: 0.01 },
  /** Of one call of the API. */
  gateway: { lostCall: 0.02, lostAnswer: 0.04 },
} as const;
