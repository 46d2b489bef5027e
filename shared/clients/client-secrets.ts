import { createHash, timingSafeEqual } from 'node:crypto';

/** What a client record says of its secrets. */
export interface ClientSecrets {
  /** SHA-256 digests, hexadecimal, the newest first; two while one is being rotated. */
  readonly secretDigests: readonly string[];
  /** Until when all but the newest are good, RFC 3339 in UTC. */
  readonly previousSecretUntil?: string | undefined;
}

/** Hours for which a secret is good after another one was made (decisions.md 11, Clients). */
const ROTATION_HOURS = 24;

/** Of a secret that nobody can guess, a plain digest is enough. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The secrets after a new one is made: the newest one before stays good for a day, an older one is not good any more. */
export function rotated({ secretDigests }: ClientSecrets, secret: string, now: Date): ClientSecrets {
  return {
    secretDigests: [digestOf(secret), ...secretDigests.slice(0, 1)],
    previousSecretUntil: new Date(now.getTime() + ROTATION_HOURS * 3600 * 1000).toISOString(),
  };
}

/** The same where one has leaked: nobody knows which others have, and none but the new one is good any more. */
export function rotatedNow(secret: string): ClientSecrets {
  return { secretDigests: [digestOf(secret)] };
}

/** The digests of the secrets that are good at this time. */
export function liveDigests({ secretDigests, previousSecretUntil }: ClientSecrets, now: Date): readonly string[] {
  const isOver = previousSecretUntil !== undefined && previousSecretUntil <= now.toISOString();
  return isOver ? secretDigests.slice(0, 1) : secretDigests;
}

/** Compares with every live secret, in constant time. */
export function isLiveSecret(secret: string, secrets: ClientSecrets, now: Date): boolean {
  const given = createHash('sha256').update(secret).digest();
  return liveDigests(secrets, now)
    .map((digest) => timingSafeEqual(given, Buffer.from(digest, 'hex')))
    .includes(true);
}
