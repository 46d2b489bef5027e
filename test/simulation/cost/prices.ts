/** When these prices were written down. Nobody has compared them with AWS since: compare them before you rely on a sum. */
export const PRICED_ON = '2026-11-27';

/** Dollars: list prices of us-east-1, beyond every free tier. Of what is counted one by one, for a million. */
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
  /** By an asymmetric key on an elliptic curve. */
  sign: 15,
  /** Encrypted or decrypted by a symmetric key. */
  keyUse: 3,
  /** Of a standard queue: to send, receive or delete. */
  queueRequest: 0.4,
  /** Put on a custom event bus, up to 64 kB each. */
  event: 1,
  /** Traces recorded by X-Ray. */
  trace: 5,
  /** Requests that a web ACL looks at. */
  webAclRequest: 0.6,
} as const;

/** Dollars for a gigabyte. */
export const gigabyte = {
  /** Of lines taken in by CloudWatch. */
  logged: 0.5,
  /** Of a table for a month, and of its backup to any second. */
  stored: 0.25 + 0.2,
} as const;

/** Dollars a month for each, however much is used. */
export const monthly = {
  alarm: 0.1,
  metric: 0.3,
  dashboard: 3,
  key: 1,
  webAcl: 5,
  webAclRule: 1,
} as const;
