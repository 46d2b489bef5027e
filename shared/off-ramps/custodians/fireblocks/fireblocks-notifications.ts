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

/** Reads the keys that are published now. @throws whatever the reason */
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
 * Notifications of the second version (Fireblocks, Webhooks v2): a detached JWS over the raw bytes, by one of the keys that
 * Fireblocks publishes.
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
      // It names nothing of ours, and looking for each transfer that it names would take two hundred calls.
      if (fireblocks.workspaceId !== undefined && from !== fireblocks.workspaceId)
        throw new BadSignature('of another workspace');
      return namedIn(notification, networkOf);
    },
  };
}

/** @throws {BadSignature} of what is no signature of Fireblocks, whatever its keys are */
function keyIdOf(signature: string): string {
  try {
    const [protectedHeader = ''] = signature.split('.');
    const { kid, alg } = decodeProtectedHeader({ protected: protectedHeader });
    if (typeof kid === 'string' && alg === 'RS512') return kid;
  } catch {
    // What was sent is in the message.
  }
  throw new BadSignature('not a detached JWS of a named key');
}

/** Milliseconds for which keys are kept: as long as Fireblocks lets them be kept (max-age of its answer). */
const KEPT_FOR = 3600_000;

/** Milliseconds between two reads, whoever wants them: unknown key ids cost nothing to make up. */
const READ_EVERY = 10_000;

interface Keys {
  readonly byId: ReadonlyMap<string, KeyObject>;
  /** When reading them began. */
  readonly readAt: number;
}

/**
 * The key with an id. One that is not known is looked for among keys that are read then. If they lack it, it may be newer:
 * what is read comes from caches, up to an hour old (s-maxage of the answer), and what is answered with 401 Fireblocks never
 * sends again.
 *
 * @throws {CustodianUnavailable} while it is not known
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
    if (key === undefined) throw new CustodianUnavailable('It is of no key of Fireblocks that is known so far.');
    return key;
  };
}

const jwks = z.object({ keys: z.array(z.unknown()) });

const rsaKey = z.object({ kid: z.string(), kty: z.literal('RSA'), n: z.string(), e: z.string() });

/** Without those that cannot be read. @throws of what is no set of keys */
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

/** Events with the whole transaction; of the others none is about a deposit (Fireblocks, Transaction events). */
export const aboutTransactions: readonly string[] = [
  'transaction.created',
  'transaction.status.updated',
  'transaction.approval_status.updated',
  'transaction.network_records.processing_completed',
];

/**
 * Each movement by its own id, so that none is looked up only to be told apart. Of those whose network no setting tells, one
 * is looked up, and whoever polls it finds the others: strangers decide how many there are in a transaction.
 */
function namedIn(notification: unknown, networkOf: NetworkOf): readonly Notified[] {
  const { eventType, data } = Object(notification);
  if (typeof eventType === 'string' && !aboutTransactions.includes(eventType)) return [];
  const named = transfersOf(data, networkOf).map(({ custodianTransferId, txHash, network }) => ({
    custodianTransferId,
    ...(txHash && { txHash }),
    ...(network !== undefined && { network }),
  }));
  const unknown = named.find(({ network }) => network === undefined);
  return named.filter((one) => one.network !== undefined || one === unknown);
}
