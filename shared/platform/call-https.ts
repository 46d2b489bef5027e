import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from './clock.ts';

export interface HttpsRequest {
  /** An `http:` URL only if the caller has checked that it points to this machine. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True for a request that only reads, although its method is not GET. */
  readonly isRead?: boolean;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The most milliseconds until the answer has ended, and the most bytes of its body. */
export interface HttpsLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** No complete answer arrived, so it is unknown whether the other side did what was requested. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly why: 'UNREACHABLE' | 'LATE' | 'BROKEN_OFF' | 'TOO_LONG';

  /** Quotes neither URL nor answer: both may hold keys. */
  constructor(why: NoAnswer['why']) {
    super(`There is no complete answer: ${why}.`);
    this.why = why;
  }
}

/** Why there was no complete answer, as the end of a sentence that starts with the provider's name. */
export const noAnswerTexts: Readonly<Record<NoAnswer['why'], string>> = {
  UNREACHABLE: 'cannot be reached',
  LATE: 'takes too long',
  BROKEN_OFF: 'broke off its answer',
  TOO_LONG: 'answers with too much data',
};

/**
 * Node sends no User-Agent by default, and firewalls reject requests without one by their default rules (AWS WAF, Core
 * rule set: NoUserAgent_HEADER; Cloudflare, Browser Integrity Check).
 */
const USER_AGENT = 'Node.js';

/** True if the other side has meanwhile closed a kept-alive connection. */
const isStale = (error: Error) => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Calls a provider over node:https, within the limits, and follows no redirect. A read that meets a closed kept-alive
 * connection is sent again, because a frozen function keeps connections for longer than servers do.
 *
 * @throws {NoAnswer}
 */
export function createCallHttps(clock: Clock, limits: HttpsLimits) {
  return (asked: HttpsRequest): Promise<HttpsAnswer> =>
    new Promise((resolve, reject) => {
      const open = asked.url.startsWith('https:') ? requestHttps : requestHttp;
      const { method, body, isRead = method === 'GET' } = asked;
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const headers = { ...asked.headers, ...length, 'user-agent': USER_AGENT };
      let cancel = () => {};
      let isOver = false;
      const stopWaiting = clock.after(limits.milliseconds, () => end(new NoAnswer('LATE')));
      const end = (result: HttpsAnswer | NoAnswer) => {
        isOver = true;
        stopWaiting();
        cancel();
        if (result instanceof NoAnswer) reject(result);
        else resolve(result);
      };
      const send = () => {
        const request = open(asked.url, { method, headers });
        cancel = () => request.destroy();
        let isAnswered = false;
        request.on('error', (error) => {
          // Cancelling a request raises the same error as a closed connection.
          if (isAnswered || isOver) return;
          if (isRead && request.reusedSocket && isStale(error)) send();
          else end(new NoAnswer('UNREACHABLE'));
        });
        request.on('response', (answer) => {
          isAnswered = true;
          readText(answer, limits.bytes).then(
            (text) =>
              end(
                text === undefined
                  ? new NoAnswer('TOO_LONG')
                  : { status: answer.statusCode ?? 0, headers: answer.headers, text },
              ),
            () => end(new NoAnswer('BROKEN_OFF')),
          );
        });
        request.end(body);
      };
      send();
    });
}

/** The body as text; `undefined` if it is longer than `most` bytes. */
async function readText(answer: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > most) return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Seconds: an hour, so that a provider's mistake cannot stop all calls to it for a year. */
const LONGEST_PAUSE = 3600;

/**
 * The pause that an answer requests, in seconds. The header holds either seconds or the time at which the pause ends.
 */
export function parseRetryAfter({ 'retry-after': header = '' }: IncomingHttpHeaders, clock: Clock): number | undefined {
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - clock.now().getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_PAUSE, Math.max(0, Math.ceil(seconds)));
}
