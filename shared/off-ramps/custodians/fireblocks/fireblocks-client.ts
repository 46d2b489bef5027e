import { createHash, sign } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { orCustodianUnavailable } from '#shared/off-ramps/custodians/hash-shares.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createSecret, type Secret, type SecretRefusal } from '#shared/platform/aws/secrets.ts';
import {
  createCallHttps,
  type HttpsAnswer,
  type HttpsLimits,
  NoAnswer,
  noAnswerTexts,
  parseRetryAfter,
} from '#shared/platform/call-https.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createProviderLimits, type ProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { setting } from '#shared/platform/environment.ts';
import { digestId } from '#shared/platform/ids.ts';
import {
  type FireblocksServer,
  type FireblocksUser,
  fireblocksSetting,
  fireblocksUser,
} from './fireblocks-settings.ts';

interface FireblocksRequest {
  readonly method: 'GET' | 'POST';
  /** With its query, exactly as it is sent: `/v1/transactions?limit=500`. */
  readonly path: string;
  /** JSON, exactly as it is sent. */
  readonly body?: string;
  /** For a POST: at most 40 characters; the vendor keeps it for a day. */
  readonly idempotencyKey?: string;
}

/** Sends a request and returns the answer, whatever its status is. @throws {CustodianUnavailable} */
export type CallFireblocks = (request: FireblocksRequest) => Promise<HttpsAnswer>;

/** A successful answer: 2xx and JSON. */
export interface FireblocksAnswer {
  readonly headers: HttpsAnswer['headers'];
  readonly body: unknown;
  /** The raw body. */
  readonly text: string;
}

/**
 * Calls the vendor as one of its API users.
 *
 * @throws {FireblocksRefused} when the vendor refuses the request
 * @throws {CustodianUnavailable} when it is not known what the vendor did
 */
export type AskFireblocks = (request: FireblocksRequest) => Promise<FireblocksAnswer>;

/** Fireblocks refuses a request in its own error format. For a caller that does not expect this, it is no answer. */
export class FireblocksRefused extends CustodianUnavailable {
  readonly status: number;
  readonly code: number | undefined;

  constructor(status: number, code: number | undefined) {
    super(`Fireblocks answers ${status}${code === undefined ? '' : ` with code ${code}`}.`);
    this.status = status;
    this.code = code;
  }
}

/** Fireblocks does not accept the API key or its signature. */
class KeyRefused extends CustodianUnavailable implements SecretRefusal {
  readonly refusesSecret = true;
}

interface Claims {
  readonly uri: string;
  readonly body: string;
  readonly nonce: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token of one request, with its claims in the vendor's order (Fireblocks, Signing a request). */
export function signRequestToken(
  { apiKey, privateKeyPem }: FireblocksUser,
  { uri, body, nonce, iat, exp }: Claims,
): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const claims = { uri, nonce, iat, exp, sub: apiKey, bodyHash };
  const signed = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKeyPem).toString('base64url')}`;
}

/** Seconds for which a token is valid: Fireblocks accepts less than 30. */
const TOKEN_AGE = 25;

/** A page of 500 transactions has about 2 MB. */
const DEFAULT_LIMITS = { milliseconds: 10_000, bytes: 16 * 1024 * 1024 };

const UNAUTHORIZED = 401;

interface CallOptions {
  readonly user: Pick<Secret<FireblocksUser>, 'use'>;
  readonly server: Pick<FireblocksServer, 'url'>;
  readonly clock: Clock;
  readonly limits?: HttpsLimits;
}

/** Calls Fireblocks over node:https with the key of an API user; the key is read again when it is refused. */
export function createCallFireblocks({ user, server, clock, limits = DEFAULT_LIMITS }: CallOptions): CallFireblocks {
  const callHttps = createCallHttps(clock, limits);
  let calls = 0;
  /** A nonce must be unique, but need not be secret. */
  const nonce = (path: string): string => {
    calls += 1;
    return digestId([path, clock.now().getTime(), calls, clock.random(), clock.random()].join(' '));
  };
  const call = async (key: FireblocksUser, { method, path, body, idempotencyKey }: FireblocksRequest) => {
    const iat = Math.floor(clock.now().getTime() / 1000);
    const claims = { uri: path, body: body ?? '', nonce: nonce(path), iat, exp: iat + TOKEN_AGE };
    const headers = {
      'x-api-key': key.apiKey,
      authorization: `Bearer ${signRequestToken(key, claims)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const request = { url: `${server.url}${path}`, method, headers, ...(body !== undefined && { body }) };
    const answer = await callHttps(request).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      throw new CustodianUnavailable(`Fireblocks ${noAnswerTexts[error.why]}.`);
    });
    if (answer.status === UNAUTHORIZED) throw new KeyRefused(messageOf(answer));
    return answer;
  };
  return (request) => orCustodianUnavailable(() => user.use((key) => call(key, request)));
}

/** An API user, by its purpose. The variable `FIREBLOCKS_READER` names the secret of the reader. */
export type FireblocksRole = 'reader' | 'addresses' | 'tags' | 'sender';

/** Creates the calls of one API user, from the settings of a function. */
export function fireblocksAs(role: FireblocksRole, clock: Clock) {
  const fireblocks = fireblocksSetting.parse(JSON.parse(setting('FIREBLOCKS')));
  const secretsManager = new SecretsManagerClient(awsClientOptions);
  const secret = setting(`FIREBLOCKS_${role.toUpperCase()}`);
  const user = createSecret({ secretsManager, clock }, secret, (text) => fireblocksUser.parse(JSON.parse(text)));
  user.warmUp();
  const table = setting('PROVIDER_LIMITS_TABLE');
  const limits = createProviderLimits({ dynamo, table, clock }, `fireblocks#${role}`);
  const call = createCallFireblocks({ user, server: fireblocks.server, clock });
  return { fireblocks, limits, ask: createAskFireblocks({ call, limits, clock }) };
}

interface AskOptions {
  readonly call: CallFireblocks;
  /** The limits of the API user. */
  readonly limits: ProviderLimits;
  readonly clock: Clock;
}

/**
 * Distinguishes answers from faults, and makes no call during a pause, which all functions of the API user share. It
 * needs neither network nor key: `call` has both.
 */
export function createAskFireblocks({ call, limits, clock }: AskOptions): AskFireblocks {
  return (request) =>
    orCustodianUnavailable(async () => {
      const pause = await limits.readPause();
      if (pause.pausedFor > 0) throw paused(pause.pausedFor);
      const answer = await call(request);
      if (answer.status === TOO_MANY_REQUESTS) {
        throw paused(await limits.recordRefusal(pause, parseRetryAfter(answer.headers, clock)));
      }
      if (answer.status < INTERNAL_ERROR) await limits.recordAcceptance(pause);
      return read(answer, clock);
    });
}

const TOO_MANY_REQUESTS = 429;
const INTERNAL_ERROR = 500;

const paused = (retryAfter: number) => new CustodianUnavailable('Fireblocks asks for a pause.', { retryAfter });

/** Statuses that may be temporary, or say nothing about the request: an expired or wrong key, a time-out. */
const SAYS_NOTHING: readonly number[] = [401, 403, 408];

const fault = z.object({ message: z.string(), code: z.optional(z.int()) });

/**
 * The answer to a POST whose idempotency key was used before an internal error: it is not known whether the request was
 * done (Fireblocks, API idempotency).
 */
const IS_UNKNOWN = /same idempotency key after an internal error/i;

function read(answer: HttpsAnswer, clock: Clock): FireblocksAnswer {
  const { status, headers, text } = answer;
  const body = parsed(text);
  if (status >= 200 && status < 300) {
    if (body === undefined) throw new CustodianUnavailable('Fireblocks answers no JSON.');
    return { headers, body, text };
  }
  const { data } = fault.safeParse(body);
  const isRefusal = status >= 400 && status < 500 && !SAYS_NOTHING.includes(status);
  if (isRefusal && data !== undefined && !IS_UNKNOWN.test(data.message)) throw new FireblocksRefused(status, data.code);
  const retryAfter = parseRetryAfter(headers, clock);
  throw new CustodianUnavailable(messageOf(answer), retryAfter === undefined ? {} : { retryAfter });
}

const NOT_FOUND = 404;

/** Returns `undefined` for a 404 with a Fireblocks code; any other 404 is of the path (Fireblocks, API responses). */
export async function undefinedIfNotFound<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof FireblocksRefused && error.status === NOT_FOUND && error.code !== undefined) return undefined;
    throw error;
  }
}

/** Leaves out the vendor's own message, which may quote anything. */
function messageOf({ status, text }: HttpsAnswer): string {
  const code = fault.safeParse(parsed(text)).data?.code;
  return `Fireblocks answers ${status}${code === undefined ? '' : ` with code ${code}`}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
