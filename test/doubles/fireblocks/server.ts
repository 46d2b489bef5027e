import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { type Answer, problem, type Request } from './answer.ts';
import {
  createFireblocksDouble,
  type DoubleOptions,
  type FireblocksDouble,
  type WebhookNotification,
} from './double.ts';
import { type ApiUser, createTokenVerifier } from './request-token.ts';
import { createWebhookKeys } from './webhook-keys.ts';

export interface ServerOptions extends Omit<DoubleOptions, 'clock' | 'notify'> {
  readonly clock?: Clock;
  /** A free port if absent. */
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly users: readonly ApiUser[];
  /** Answers in place of the API, without a token; `undefined` for requests to the API. */
  readonly control?: (double: FireblocksDouble, request: Request) => Answer | undefined;
}

/** A notification and the status of its answer: `undefined` while it is on its way, 0 without an answer. */
export interface Sent extends WebhookNotification {
  readonly signature: string;
  status?: number;
}

const JWKS_PATH = '/.well-known/jwks.json';

/** Fireblocks over HTTP, or HTTPS, on this machine. */
export async function startFireblocksDouble(options: ServerOptions) {
  const { clock = systemClock, tls, users, notifyUrl, control } = options;
  const keys = createWebhookKeys();
  const sent: Sent[] = [];
  const sending = new Set<Promise<void>>();
  const double = createFireblocksDouble({ ...options, clock, notify: (one) => void notify(one) });
  const verifyToken = createTokenVerifier(clock, users);
  let keysFetched = 0;

  /** Tries once: only `resend` sends a failed notification again. */
  async function deliver(one: Sent): Promise<void> {
    if (notifyUrl === undefined) return;
    const attempt = post(notifyUrl, one.text, { 'Fireblocks-Webhook-Signature': one.signature }).then((status) => {
      one.status = status;
    });
    sending.add(attempt);
    await attempt;
    sending.delete(attempt);
  }

  function notify(notification: WebhookNotification): Promise<void> {
    const one = { ...notification, signature: keys.signatureOf(notification.text) };
    sent.push(one);
    return deliver(one);
  }

  function answerTo(incoming: IncomingMessage, body: Buffer): Answer {
    const { url: target = '', method = 'GET', headers } = incoming;
    const request = { method, path: target, headers: textHeaders(headers), body: body.toString() };
    if (target === JWKS_PATH) {
      keysFetched += 1;
      return { status: 200, headers: { ...jwksHeaders }, body: keys.jwks() };
    }
    const controlled = control?.(double, request);
    if (controlled !== undefined) return controlled;
    const [apiKey, authorization] = [request.headers['x-api-key'], headers.authorization];
    const user = verifyToken({ target, apiKey, authorization, body });
    if (!('apiKey' in user)) return problem(401, user[1], user[0]);
    return double.answer(user, request);
  }

  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => play(answerTo(incoming, Buffer.concat(chunks)), response));
  };
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;

  return {
    /** Without `/v1`. */
    url,
    jwksUrl: `${url}${JWKS_PATH}`,
    double,
    rotateKeys: keys.rotate,
    /** The signature of any bytes, by the key of webhooks. */
    signatureOf: keys.signatureOf,
    keysFetched: () => keysFetched,
    /** Every notification so far, oldest first. */
    sent: sent as readonly Sent[],
    /** Until every notification that is under way has been answered, or has failed. */
    delivered: async () => void (await Promise.all(sending)),
    /** Sends again what was not answered with 2xx. */
    resend: async () => {
      await Promise.all(sent.filter(({ status = 0 }) => status < 200 || status > 299).map(deliver));
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const jwksHeaders = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' };

function textHeaders(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function play({ status, headers, body, delay = 0, isCutOff }: Answer, response: ServerResponse): void {
  const bytes = Buffer.from(body);
  const write = () => {
    response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
    if (isCutOff !== true) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  };
  if (delay === 0) write();
  else setTimeout(write, delay).unref();
}

/** The status; 0 when there is no answer. */
function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const sent = { 'Content-Type': 'application/json', ...headers };
    const call = open(url, { method: 'POST', headers: sent, timeout: 10_000 }, (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(0));
    call.end(body);
  });
}
