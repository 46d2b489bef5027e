/** The day these prices were recorded. Nobody has compared them with AWS since: do so before you rely on a sum. */
export const PRICED_ON = '2026-11-27';

/** Dollars: list prices of us-east-1 beyond every free tier. Units that are counted singly have prices per million. */
export const prices = {
  /** Requests of a REST API, up to 333 million a month. */
  apiRequest: 3.5,
  /** Invocations of Lambda. */
  call: 0.2,
  /** Of Lambda on ARM. */
  gigabyteSecond: 13.33,
  /** On demand. A transaction takes two for each. */
  writeUnit: 0.625,
  readUnit: 0.125,
  /** Of a standard workflow. */
  transition: 25,
  /** With an asymmetric elliptic-curve key. */
  sign: 15,
  /** Encryption or decryption with a symmetric key. */
  keyUse: 3,
  /** Of a standard queue: send, receive or delete. */
  queueRequest: 0.4,
  /** Put on a custom event bus, up to 64 kB each. */
  event: 1,
  /** Traces recorded by X-Ray. */
  trace: 5,
  /** Requests that a web ACL inspects. */
  webAclRequest: 0.6,
} as const;

/** Dollars per gigabyte. */
export const gigabyte = {
  /** Of log lines ingested by CloudWatch. */
  logged: 0.5,
  /** Of a table for a month, with its point-in-time recovery. */
  stored: 0.25 + 0.2,
} as const;

/** Dollars a month for each, independent of use. */
export const monthly = {
  /** Of each metric that an alarm reads. */
  alarmMetric: 0.1,
  metric: 0.3,
  dashboard: 3,
  /** The key of webhooks' secrets takes one more after its first rotation, and two more after its second. */
  key: 1,
  secret: 0.4,
  webAcl: 5,
  webAclRule: 1,
} as const;
