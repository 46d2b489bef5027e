import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createSecret, type Secret, type SecretRefusal } from '#shared/platform/aws/secrets.ts';
import {
  createCallHttps,
  type HttpsAnswer,
  NoAnswer,
  noAnswerTexts,
  parseRetryAfter,
} from '#shared/platform/call-https.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { type WompiKeys, type WompiSetting, wompiKeys, wompiSetting } from './wompi-settings.ts';

interface WompiRequest {
  /** Below `/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** With a body the request is a POST, otherwise a GET. */
  readonly body?: object;
  /** Sends the public key, in its own header (Wompi, Acceptance tokens); every other call sends the private key. */
  readonly isPublic?: true;
}

/**
 * Returns the JSON of a successful answer, in which each number is a string, exactly as written.
 *
 * @throws {WompiRefused} when Wompi refuses the request
 * @throws {RailUnavailable} when it is unknown what Wompi did
 */
export type AskWompi = (request: WompiRequest) => Promise<unknown>;

/** Does the work with the keys; repeats it once if they are refused and new ones exist. @throws {RailUnavailable} */
export type WithWompi = <Result>(work: (ask: AskWompi, keys: WompiKeys) => Promise<Result>) => Promise<Result>;

/** Wompi refuses the content of a request, in its own format: 422, `INPUT_VALIDATION_ERROR` (Wompi, Errors). */
export class WompiRefused extends RailUnavailable {
  /** Wompi's messages by the field that they are about. */
  readonly messages: Readonly<Record<string, unknown>>;

  constructor(messages: WompiRefused['messages']) {
    super(`Wompi refuses ${Object.keys(messages).join(', ')}.`);
    this.messages = messages;
  }
}

/** Wompi does not take the key. */
class KeyRefused extends RailUnavailable implements SecretRefusal {
  readonly refusesSecret = true;
}

/** Wompi has nothing at the path, or takes no order by the method: 404. */
export class WompiNotFound extends RailUnavailable {}

/** A page of 200 transactions has less than 1 MB. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Statuses by which Wompi refuses a key: one that is unknown, and one without the permission. */
const forbidding: readonly number[] = [401, 403];
/** Statuses of a good look-up, and of a good order. */
const good: readonly number[] = [200, 201];
const NOT_FOUND = 404;
const REFUSED = 422;
const TOO_MANY_REQUESTS = 429;

/** Seconds, after too many requests: nothing says whether Wompi names a pause, and a sweep asks for 150 at once. */
const PAUSE = 60;

const refusal = z.object({
  error: z.object({
    messages: z.record(z.string(), z.unknown()).check(z.refine((messages) => Object.keys(messages).length > 0)),
  }),
});

interface Options {
  readonly server: WompiSetting;
  readonly keys: Pick<Secret<WompiKeys>, 'use'>;
  readonly clock: Clock;
  /** The timeout of each call. */
  readonly milliseconds: number;
}

export function createWithWompi({ server, keys, clock, milliseconds }: Options): WithWompi {
  const callHttps = createCallHttps(clock, { milliseconds, bytes: MOST_BYTES });
  const ask = async ({ publicKey, privateKey }: WompiKeys, request: WompiRequest): Promise<unknown> => {
    const { path, query, body, isPublic } = request;
    const answer = await callHttps({
      url: `${server.url}/v1${path}${query === undefined ? '' : `?${new URLSearchParams(query)}`}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(isPublic ? { 'x-merchant-public-key': publicKey } : { authorization: `Bearer ${privateKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return contentOf(answer, clock);
  };
  return async (work) => {
    try {
      return await keys.use((secret) => {
        checkKeys(server, secret);
        return work((request) => ask(secret, request), secret);
      });
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}

/** Creates the client from the settings of a function. */
export function wompiFromSettings(clock: Clock, milliseconds: number): WithWompi {
  const server = wompiSetting.parse(JSON.parse(setting('WOMPI')));
  const secretsManager = new SecretsManagerClient(awsClientOptions);
  const read = (text: string) => wompiKeys.parse(JSON.parse(text));
  const keys = createSecret({ secretsManager, clock }, setting('WOMPI_KEYS'), read);
  keys.warmUp();
  return createWithWompi({ server, keys, clock, milliseconds });
}

/** The name of each environment in the prefixes of its keys (Wompi, Environments and keys). */
const environments = { test: 'test', prod: 'prod' } as const;

export function environmentOf({ isTest }: WompiSetting): string {
  return isTest ? environments.test : environments.prod;
}

/** Checks the environment of the keys, so that nothing is sent with a key of the other one. */
function checkKeys(server: WompiSetting, { publicKey, privateKey, integritySecret }: WompiKeys): void {
  const environment = environmentOf(server);
  checkKeyPrefix('public key', publicKey, `pub_${environment}_`);
  checkKeyPrefix('private key', privateKey, `prv_${environment}_`);
  checkKeyPrefix('integrity secret', integritySecret, `${environment}_integrity_`);
}

/** @throws {RailUnavailable} */
export function checkKeyPrefix(name: string, key: string, prefix: string): void {
  if (!key.startsWith(prefix))
    throw new RailUnavailable(
      `The ${name} of Wompi does not belong to the environment of the stage, where it begins with ${prefix}.`,
    );
}

function contentOf({ status, headers, text }: HttpsAnswer, clock: Clock): unknown {
  if (forbidding.includes(status)) throw new KeyRefused(`Wompi answers ${status}.`);
  const isGood = good.includes(status);
  const content = isGood || status === REFUSED ? parseNumbersAsTexts(text) : undefined;
  if (isGood && content !== undefined) return content;
  const refused = status === REFUSED ? refusal.safeParse(content).data : undefined;
  if (refused !== undefined) throw new WompiRefused(refused.error.messages);
  const retryAfter = parseRetryAfter(headers, clock) ?? (status === TOO_MANY_REQUESTS ? PAUSE : undefined);
  const what = isGood || status === REFUSED ? 'what cannot be read' : String(status);
  const Failure = status === NOT_FOUND ? WompiNotFound : RailUnavailable;
  throw new Failure(`Wompi answers ${what}.`, retryAfter === undefined ? {} : { retryAfter });
}

/** Parses JSON with each number as a string, exactly as written; `undefined` if the text is not JSON. */
export function parseNumbersAsTexts(text: string): unknown {
  const asWritten = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value;
  try {
    return JSON.parse(text, asWritten);
  } catch {
    return undefined;
  }
}

/** The message quotes neither the URL nor the keys. */
function asUnavailable(error: unknown): Error {
  if (error instanceof RailUnavailable || error instanceof RailRejected) return error;
  if (error instanceof NoAnswer) return new RailUnavailable(`Wompi ${noAnswerTexts[error.why]}.`);
  if (error instanceof Unavailable) return new RailUnavailable(error.message);
  return new RailUnavailable(`Wompi cannot be asked: ${error instanceof Error ? error.name : 'no error'}.`);
}
