import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from './clock.ts';

export interface HttpsRequest {
  /** Without TLS only where the caller has checked that it is this machine. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** It only reads, although it is no GET. */
  readonly isRead?: boolean;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Milliseconds until the answer has ended, and bytes of it, at most. */
export interface HttpsLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** There is no whole answer; whether the other side did what it was asked is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly why: 'UNREACHABLE' | 'LATE' | 'BROKEN_OFF' | 'TOO_LONG';

  /** Quotes neither URL nor answer: both may hold keys. */
  constructor(why: NoAnswer['why']) {
    super(`There is no whole answer: ${why}.`);
    this.why = why;
  }
}

/** What a provider did that gave no whole answer, for a sentence that begins with its name. */
export const gaveNoAnswer: Readonly<Record<NoAnswer['why'], string>> = {
  UNREACHABLE: 'cannot be reached',
  LATE: 'takes too long',
  BROKEN_OFF: 'broke off its answer',
  TOO_LONG: 'answers too much',
};

/**
 * Node sends none by itself. Firewalls refuse requests without it, by rules that are there from the beginning (AWS WAF,
 * Core rule set: NoUserAgent_HEADER; Cloudflare, Browser Integrity Check).
 */
const USER_AGENT = 'Node.js';

/** A kept connection that the other side has closed meanwhile. */
const isStale = (error: Error) => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/**
 * Asks a provider over node:https, within its limits. It follows no redirect. What only reads and meets a kept connection
 * which was closed meanwhile is sent again, because a frozen function keeps connections for longer than servers do.
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
          // A request that was cancelled looks like one whose connection was closed.
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

/** `undefined` when there is more of it. */
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

/** Seconds: an hour, because a mistake of a provider must not stop all who ask it for a year. */
const LONGEST_PAUSE = 3600;

/** The pause that an answer asks for, in seconds; the header gives it as such or as the time at which it ends. */
export function retryAfterOf({ 'retry-after': header = '' }: IncomingHttpHeaders, clock: Clock): number | undefined {
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - clock.now().getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_PAUSE, Math.max(0, Math.ceil(seconds)));
}
