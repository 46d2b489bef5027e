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
  const judged = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all = false, family = 0 }, callback) => {
    const wanted = FAMILIES[family] ?? family;
    const found = judged.filter((each) => wanted === 0 || each.family === wanted);
    const [first] = found;
    // Answers after the call has returned, as DNS does: the socket is not ready before.
    queueMicrotask(() => {
      if (first === undefined) callback(new Error('The host has no address of the family.'), '');
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

export interface WebhookCall {
  readonly url: URL;
  /** The addresses that the guard has checked for the URL; no other is connected to. */
  readonly addresses: readonly string[];
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON */
  readonly body: string;
}

/** Either a status or an error, and nothing of the body. */
export type CallResult = CallEnd & {
  /** The header as it was sent. */
  readonly retryAfter?: string;
};

/** Never rejects, whatever the endpoint does. */
export type CallWebhook = (call: WebhookCall) => Promise<CallResult>;

interface Limits {
  /** Until the request can be written: TCP and TLS. */
  readonly connectMilliseconds: number;
  /** Until the answer has ended, its body included. */
  readonly totalMilliseconds: number;
  /** Certificates (PEM) to trust instead of the public ones. */
  readonly ca?: string;
}

/** Bytes. A longer answer is cut off there: only its status counts. */
const MOST_ANSWER = 16 * 1024;

/**
 * Calls endpoints that do not belong to the service and may be hostile: it follows no redirect, decompresses no answer,
 * uses no proxy of the environment, and no connection twice (a kept one would lead to an address of an earlier check).
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
      const judged = listOf(call.addresses);
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
          if (!leadsTo(judged, socket)) return finish({ error: 'BLOCKED' });
          if (!isSecure) return send();
          phase = 'TLS';
          socket.once('secureConnect', send);
        });
      });
      request.on('response', (answer) => {
        const done = () => finish(statusOf(answer));
        // From here on the answer ends or breaks off; the connection no longer matters. Nor does what follows a whole answer,
        // as after a 204: servers send it a body all the same, which is no HTTP.
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

/** A host that is an address is connected to without a lookup, so the connection itself has to be checked. */
function leadsTo(judged: BlockList, { remoteAddress = '' }: Socket): boolean {
  return isIP(remoteAddress) !== 0 && judged.check(remoteAddress, versionOf(remoteAddress));
}

/** A list of addresses that compares them however they are written. */
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
