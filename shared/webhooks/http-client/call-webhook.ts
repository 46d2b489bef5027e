import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, type IPVersion, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { Clock } from '#shared/platform/clock.ts';
import type { CallEnd, CallError } from '#shared/webhooks/model/delivery.ts';

const FAMILIES: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 };

/**
 * Replaces DNS when a connection is made: every name resolves to the given addresses, which the guard has checked. A
 * DNS answer that changes a moment later has no effect (DNS rebinding).
 */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const allowed = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all = false, family = 0 }, callback) => {
    const wanted = FAMILIES[family] ?? family;
    const found = allowed.filter((each) => wanted === 0 || each.family === wanted);
    const [first] = found;
    // Calls back asynchronously, as DNS does: the socket is not ready earlier.
    queueMicrotask(() => {
      if (first === undefined) callback(new Error('The host has no address of the family.'), '');
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

export interface WebhookCall {
  readonly url: URL;
  /** The addresses that the guard has checked for the URL; only these are connected to. */
  readonly addresses: readonly string[];
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON */
  readonly body: string;
}

/** A status or an error; the body is dropped. */
export type CallResult = CallEnd & {
  /** The `Retry-After` header as it was received. */
  readonly retryAfter?: string;
};

/** Never rejects, whatever the endpoint does. */
export type CallWebhook = (call: WebhookCall) => Promise<CallResult>;

interface Limits {
  /** Limit for TCP and TLS, until the request can be written. */
  readonly connectMilliseconds: number;
  /** Limit until the answer has ended, its body included. */
  readonly totalMilliseconds: number;
  /** Certificates (PEM) to trust instead of the public ones. */
  readonly ca?: string;
}

/** Most bytes read of an answer; the rest is dropped, because only the status counts. */
const MOST_ANSWER = 16 * 1024;

/**
 * Calls endpoints that do not belong to the service and may be hostile: it follows no redirect, decompresses no answer,
 * ignores the environment's proxy, and reuses no connection (which would lead to an address of an earlier check).
 *
 * A call that breaks off before the answer has ended, or is not HTTP, is the error `CONNECT`.
 */
export function createCallWebhook(
  clock: Clock,
  limits: Limits = { connectMilliseconds: 5_000, totalMilliseconds: 15_000 },
): CallWebhook {
  return (call) =>
    new Promise((resolve) => {
      const isSecure = call.url.protocol === 'https:';
      let phase: CallError = 'CONNECT';
      const allowed = listOf(call.addresses);
      const request = openRequest(call, limits, isSecure);
      const finish = (result: CallResult): void => {
        stopConnecting();
        stopWaiting();
        resolve(result);
        request.destroy();
      };
      const fail = () => finish({ error: phase });
      const timeOut = () => finish({ error: 'TIMEOUT' });
      const stopConnecting = clock.after(limits.connectMilliseconds, timeOut);
      const stopWaiting = clock.after(limits.totalMilliseconds, timeOut);
      const send = () => {
        phase = 'CONNECT';
        stopConnecting();
        request.end(call.body);
      };
      request.on('error', fail);
      request.on('close', fail);
      request.on('socket', (socket) => {
        socket.once('connect', () => {
          // The endpoint has closed the connection again, which then leads nowhere.
          if (socket.remoteAddress === undefined) return fail();
          if (!leadsTo(allowed, socket)) return finish({ error: 'BLOCKED' });
          if (!isSecure) return send();
          phase = 'TLS';
          socket.once('secureConnect', send);
        });
      });
      request.on('response', (answer) => {
        const done = () => finish(statusOf(answer));
        // From here on only the answer counts, not the connection. Bytes after a complete answer are ignored: some
        // servers send a body after a 204, which is invalid HTTP.
        request.off('close', fail).off('error', fail);
        request.on('error', () => (answer.complete ? done() : fail()));
        readToItsEnd(answer, done, fail);
      });
    });
}

function openRequest(call: WebhookCall, limits: Limits, isSecure: boolean) {
  const { url, method, addresses } = call;
  const connection = {
    keepAlive: false,
    lookup: pinnedLookup(addresses),
    // Every address is tried before the time to connect is over.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(limits.connectMilliseconds / Math.max(1, addresses.length)),
  };
  const headers = {
    ...call.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(call.body),
    'user-agent': 'payin-offramp-webhooks/1',
  };
  if (!isSecure) return requestHttp(url, { method, headers, agent: new HttpAgent(connection) });
  const trust = { rejectUnauthorized: true, ...(limits.ca === undefined ? {} : { ca: limits.ca }) };
  return requestHttps(url, { method, headers, agent: new HttpsAgent({ ...connection, ...trust }) });
}

/** Checks the connection itself, because a URL with an IP address as its host skips the lookup. */
function leadsTo(allowed: BlockList, { remoteAddress = '' }: Socket): boolean {
  return isIP(remoteAddress) !== 0 && allowed.check(remoteAddress, versionOf(remoteAddress));
}

/** A list that matches addresses in any notation. */
function listOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, versionOf(address));
  return list;
}

function versionOf(address: string): IPVersion {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function readToItsEnd(answer: IncomingMessage, done: () => void, fail: () => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= MOST_ANSWER) done();
  });
  answer.on('end', done);
  answer.on('error', fail);
  answer.on('close', fail);
}

/** A status below 100 is no HTTP status, and counts as no answer. */
function statusOf({ statusCode = 0, headers }: IncomingMessage): CallResult {
  if (statusCode < 100) return { error: 'CONNECT' };
  const retryAfter = headers['retry-after'];
  return { statusCode, ...(retryAfter === undefined ? {} : { retryAfter }) };
}
