import { createPublicKey, type KeyObject } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import * as z from 'zod/mini';
import { type Custodian, CustodianUnavailable, type Notified } from '#shared/off-ramps/custodians/custodian.ts';
import { BadSignature, verifyDetached } from '#shared/platform/aws/kms.ts';
import { createCallHttps } from '#shared/platform/call-https.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { SIGNATURE_HEADER } from './fireblocks-deployment.ts';
import { configuredNetworks } from './fireblocks-networks.ts';
import { type FireblocksSetting, fireblocksSetting } from './fireblocks-settings.ts';
import { type NetworkOf, transfersOf } from './fireblocks-transfers.ts';

/** Reads the keys that Fireblocks publishes now. @throws any error */
type ReadKeys = () => Promise<unknown>;

const LIMITS = { milliseconds: 3000, bytes: 256 * 1024 };

export function createFireblocksNotifications(clock: Clock): Required<Pick<Custodian, 'readNotification'>> {
  const fireblocks = fireblocksSetting.parse(JSON.parse(setting('FIREBLOCKS')));
  const callHttps = createCallHttps(clock, LIMITS);
  const readKeys = async (): Promise<unknown> => {
    const { status, text } = await callHttps({ url: fireblocks.server.jwksUrl, method: 'GET', headers: {} });
    if (status !== 200) throw new CustodianUnavailable(`The keys of Fireblocks are answered with ${status}.`);
    return JSON.parse(text);
  };
  return fireblocksNotifications({ fireblocks, readKeys, clock });
}

interface Dependencies {
  readonly fireblocks: Pick<FireblocksSetting, 'networks' | 'workspaceId'>;
  readonly readKeys: ReadKeys;
  readonly clock: Clock;
}

/**
 * Reads notifications of the second version (Fireblocks, Webhooks v2). Each has a detached JWS over its raw bytes, by
 * one of the keys that Fireblocks publishes.
 */
export function fireblocksNotifications({
  fireblocks,
  readKeys,
  clock,
}: Dependencies): Required<Pick<Custodian, 'readNotification'>> {
  const networkOf = configuredNetworks(fireblocks);
  const findKey = createFindKey(readKeys, clock);
  return {
    readNotification: async ({ rawBody, headers }) => {
      const signature = headers.get(SIGNATURE_HEADER) ?? '';
      await verifyDetached(signature, rawBody, await findKey(keyIdOf(signature)));
      const notification: unknown = JSON.parse(rawBody.toString('utf8'));
      const from = String(Object(notification).workspaceId).toLowerCase();
      // Such a notification names nothing of ours, and looking up each transfer in it would take two hundred calls.
      if (fireblocks.workspaceId !== undefined && from !== fireblocks.workspaceId)
        throw new BadSignature('of another workspace');
      return namedIn(notification, networkOf);
    },
  };
}

/** Returns the id of the signing key. @throws {BadSignature} when the text cannot be a signature of Fireblocks */
function keyIdOf(signature: string): string {
  try {
    const [protectedHeader = ''] = signature.split('.');
    const { kid, alg } = decodeProtectedHeader({ protected: protectedHeader });
    if (typeof kid === 'string' && alg === 'RS512') return kid;
  } catch {
    // The error is dropped, because its message contains what was sent.
  }
  throw new BadSignature('not a detached JWS of a named key');
}

/** Milliseconds for which keys are cached: the max-age of Fireblocks' answer. */
const KEPT_FOR = 3600_000;

/** Milliseconds between two reads, at least: anybody can make up unknown key ids at no cost. */
const READ_EVERY = 10_000;

interface Keys {
  readonly byId: ReadonlyMap<string, KeyObject>;
  /** When the read of these keys began. */
  readonly readAt: number;
}

/**
 * Finds a key by its id; if the id is unknown, the keys are read again. A key that they still lack may be newer than
 * the answer, which comes from caches and is up to an hour old (s-maxage of the answer). This is no bad signature,
 * because Fireblocks never resends a notification that was answered with 401.
 *
 * @throws {CustodianUnavailable} while the key is not known
 */
function createFindKey(readKeys: ReadKeys, clock: Clock): (keyId: string) => Promise<KeyObject> {
  let keys: Keys = { byId: new Map(), readAt: Number.NEGATIVE_INFINITY };
  let triedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const now = () => clock.now().getTime();

  const read = async (): Promise<void> => {
    const readAt = now();
    try {
      keys = { byId: keysOf(await readKeys()), readAt };
    } catch (error) {
      log.warn('CUSTODIAN_KEYS_UNREAD', { cause: describe(error) });
    }
  };

  const refresh = (): Promise<void> => {
    if (reading === undefined && now() - triedAt >= READ_EVERY) {
      triedAt = now();
      reading = read().finally(() => {
        reading = undefined;
      });
    }
    return reading ?? Promise.resolve();
  };

  const fresh = (keyId: string) => (now() - keys.readAt < KEPT_FOR ? keys.byId.get(keyId) : undefined);

  void refresh();
  return async (keyId) => {
    if (fresh(keyId) === undefined) await refresh();
    const key = fresh(keyId);
    if (key === undefined) throw new CustodianUnavailable('No known key of Fireblocks has the id in this signature.');
    return key;
  };
}

const jwks = z.object({ keys: z.array(z.unknown()) });

const rsaKey = z.object({ kid: z.string(), kty: z.literal('RSA'), n: z.string(), e: z.string() });

/** Returns the keys that can be read. @throws when the answer is no set of keys */
function keysOf(answer: unknown): ReadonlyMap<string, KeyObject> {
  return new Map(z.parse(jwks, answer).keys.flatMap(readKey));
}

function readKey(given: unknown): readonly (readonly [string, KeyObject])[] {
  try {
    const { kid, ...key } = z.parse(rsaKey, given);
    return [[kid, createPublicKey({ key, format: 'jwk' })]];
  } catch {
    return [];
  }
}

/** Events that contain the whole transaction; no other event is about a deposit (Fireblocks, Transaction events). */
export const transactionEvents: readonly string[] = [
  'transaction.created',
  'transaction.status.updated',
  'transaction.approval_status.updated',
  'transaction.network_records.processing_completed',
];

/**
 * Names each movement by its own id, so that no look-up is needed to tell them apart. Of the movements whose network is
 * in no setting only one is named, because strangers decide how many a transaction has; the poll of that one finds the
 * rest.
 */
function namedIn(notification: unknown, networkOf: NetworkOf): readonly Notified[] {
  const { eventType, data } = Object(notification);
  if (typeof eventType === 'string' && !transactionEvents.includes(eventType)) return [];
  const named = transfersOf(data, networkOf).map(({ custodianTransferId, txHash, network }) => ({
    custodianTransferId,
    ...(txHash && { txHash }),
    ...(network !== undefined && { network }),
  }));
  const unknown = named.find(({ network }) => network === undefined);
  return named.filter((one) => one.network !== undefined || one === unknown);
}
