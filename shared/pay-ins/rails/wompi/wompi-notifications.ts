import { createHash, timingSafeEqual } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { paymentReference, RailUnavailable, type ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { createSecret, type Refusal, type Secret } from '#shared/platform/aws/secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { checkPrefix, environmentOf, withNumbersAsTexts } from './wompi-client.ts';
import { wompiRail } from './wompi-deployment.ts';
import { type WompiSetting, wompiSetting } from './wompi-settings.ts';

const TRANSACTION_CHANGED = 'transaction.updated';

/**
 * Wompi signs three values. Whoever calls names them before anything is verified: thousands of names of one long value would
 * be a text of gigabytes.
 */
const MOST_SIGNED = 20;

/** Wompi, Events. Numbers are texts. */
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

/** The secret may have been renewed since it was read: it is read again once. */
class NotSigned extends BadSignature implements Refusal {
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

/** Verifies the checksum of an event, which is there twice, and compares its environment with the stage's. */
export function createReadWompiNotification({ server, eventsSecret }: Options): ReadRailNotification {
  const { signatureHeader } = wompiRail(server);
  return async ({ rawBody, headers }) => {
    const { data: said } = event.safeParse(withNumbersAsTexts(rawBody.toString('utf8')));
    if (said === undefined) throw new BadSignature('It is no event of Wompi.');
    if (said.environment !== environmentOf(server)) throw new BadSignature('It is of another environment.');
    const values = said.signature.properties.map((path) => valueAt(said.data, path)).join('');
    const claimed = [said.signature.checksum, headers.get(signatureHeader) ?? said.signature.checksum];
    try {
      await eventsSecret.use(async (secret) => {
        checkPrefix('events secret', secret, `${environmentOf(server)}_events_`);
        const checksum = createHash('sha256').update(`${values}${said.timestamp}${secret}`).digest();
        if (!claimed.every((one) => isSame(one, checksum))) throw new NotSigned('Its checksum is of other bytes.');
      });
    } catch (error) {
      throw error instanceof Unavailable ? new RailUnavailable(error.message) : error;
    }
    if (said.event !== TRANSACTION_CHANGED) return [];
    const { data: ours } = changed.safeParse(said.data);
    return ours === undefined ? [] : [ours.transaction.reference];
  };
}

/** The text at a dotted path; an empty one for null. @throws {BadSignature} for what is no text, number, or yes or no */
function valueAt(data: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((within, name) => {
    const isThere = typeof within === 'object' && within !== null && Object.hasOwn(within, name);
    if (!isThere) throw new BadSignature('It lacks what it says to have signed.');
    return Object(within)[name];
  }, data);
  if (typeof value === 'object' && value !== null) throw new BadSignature('It signs what is no value.');
  return String(value ?? '');
}

/** In constant time, whichever case the hexadecimal digits have. */
function isSame(claimed: string, checksum: Buffer): boolean {
  return /^[0-9a-f]{64}$/i.test(claimed) && timingSafeEqual(Buffer.from(claimed, 'hex'), checksum);
}
