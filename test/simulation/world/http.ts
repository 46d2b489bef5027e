export interface HttpCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `undefined` where no answer comes: what was asked for may have been done all the same. */
export type SendRequest = (call: HttpCall) => Promise<HttpAnswer | undefined>;
