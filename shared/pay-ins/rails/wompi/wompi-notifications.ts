import { createHash, timingSafeEqual } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { paymentReference, RailUnavailable, type ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { createSecret, type Secret, type SecretRefusal } from '#shared/platform/aws/secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { checkKeyPrefix, environmentOf, parseNumbersAsTexts } from './wompi-client.ts';
import { wompiRail } from './wompi-deployment.ts';
import { type WompiSetting, wompiSetting } from './wompi-settings.ts';

const TRANSACTION_CHANGED = 'transaction.updated';

/**
 * Signed values, at most; Wompi signs three. The caller names them before anything is verified: thousands of names of
 * one long value would make a text of gigabytes.
 */
const MOST_SIGNED = 20;

/** A signed event (Wompi, Events). Numbers are strings. */
const event = z.object({
  event: z.string(),
  data: z.record(z.string(), z.unknown()),
  environment: z.string(),
  signature: z.object({
    properties: z.array(z.string()).check(z.minLength(1), z.maxLength(MOST_SIGNED)),
    checksum: z.string(),
  }),
  timestamp: z.string(),
});

const changed = z.object({ transaction: z.object({ reference: paymentReference }) });

/** The checksum does not match. The secret may have been renewed since it was read: it is read again once. */
class NotSigned extends BadSignature implements SecretRefusal {
  readonly refusesSecret = true;
}

export function createWompiNotifications(clock: Clock): ReadRailNotification {
  const secretsManager = new SecretsManagerClient(awsClientOptions);
  const eventsSecret = createSecret({ secretsManager, clock }, setting('WOMPI_EVENTS'), readEventsSecret);
  eventsSecret.warmUp();
  return createReadWompiNotification({ server: wompiSetting.parse(JSON.parse(setting('WOMPI'))), eventsSecret });
}

const named = z.object({ eventsSecret: z.string() });

/** `{"eventsSecret": "…"}`, or the secret itself. */
export function readEventsSecret(text: string): string {
  return text.trimStart().startsWith('{') ? named.parse(JSON.parse(text)).eventsSecret : text.trim();
}

interface Options {
  readonly server: WompiSetting;
  readonly eventsSecret: Pick<Secret<string>, 'use'>;
}

/** Verifies the checksum of an event, in its body and in its header, and compares its environment with the stage's. */
export function createReadWompiNotification({ server, eventsSecret }: Options): ReadRailNotification {
  const { signatureHeader } = wompiRail(server);
  return async ({ rawBody, headers }) => {
    const { data: sent } = event.safeParse(parseNumbersAsTexts(rawBody.toString('utf8')));
    if (sent === undefined) throw new BadSignature('It is not an event of Wompi.');
    if (sent.environment !== environmentOf(server)) throw new BadSignature('It belongs to another environment.');
    const values = sent.signature.properties.map((path) => valueAt(sent.data, path)).join('');
    const claimed = [sent.signature.checksum, headers.get(signatureHeader) ?? sent.signature.checksum];
    try {
      await eventsSecret.use(async (secret) => {
        checkKeyPrefix('events secret', secret, `${environmentOf(server)}_events_`);
        const checksum = createHash('sha256').update(`${values}${sent.timestamp}${secret}`).digest();
        if (!claimed.every((one) => isSame(one, checksum))) throw new NotSigned('Its checksum does not match.');
      });
    } catch (error) {
      throw error instanceof Unavailable ? new RailUnavailable(error.message) : error;
    }
    if (sent.event !== TRANSACTION_CHANGED) return [];
    const { data } = changed.safeParse(sent.data);
    return data === undefined ? [] : [data.transaction.reference];
  };
}

/** The text at a dotted path; empty for null. @throws {BadSignature} if there is no string, number, boolean or null */
function valueAt(data: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((within, name) => {
    const isThere = typeof within === 'object' && within !== null && Object.hasOwn(within, name);
    if (!isThere) throw new BadSignature('It lacks a value that it names as signed.');
    return Object(within)[name];
  }, data);
  if (typeof value === 'object' && value !== null) throw new BadSignature('It names an object or a list as signed.');
  return String(value ?? '');
}

/** Compares in constant time; the hexadecimal digits may have either case. */
function isSame(claimed: string, checksum: Buffer): boolean {
  return /^[0-9a-f]{64}$/i.test(claimed) && timingSafeEqual(Buffer.from(claimed, 'hex'), checksum);
}
