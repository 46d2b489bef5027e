import { createHash, timingSafeEqual } from 'node:crypto';

/** The secrets of a client record. */
export interface ClientSecrets {
  /** SHA-256 digests, hexadecimal, the newest first; several while one is being rotated. */
  readonly secretDigests: readonly string[];
  /** All but the newest are valid until this time, RFC 3339 in UTC. */
  readonly previousSecretUntil?: string | undefined;
}

/** Hours for which a replaced secret stays valid (decisions.md 11, Clients). */
const ROTATION_HOURS = 24;

/** Valid secrets, at most: the one in use, one whose only answer was lost, and the newest. */
export const MOST_SECRETS = 3;

/** A plain digest is enough for a secret with 256 random bits. */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The secrets after a rotation: those that are valid stay so for a day, because the client may use any of them. */
export function secretsAfterRotation(secrets: ClientSecrets, secret: string, now: Date): ClientSecrets {
  return {
    secretDigests: [secretDigest(secret), ...liveDigests(secrets, now)],
    previousSecretUntil: new Date(now.getTime() + ROTATION_HOURS * 3600 * 1000).toISOString(),
  };
}

/** The secrets after a leak: nobody knows which others leaked, so only the new one is valid. */
export function secretsAfterLeak(secret: string): ClientSecrets {
  return { secretDigests: [secretDigest(secret)] };
}

/** The secrets once the client uses the newest one: no other is needed. */
export function newestSecretOnly({ secretDigests }: ClientSecrets): ClientSecrets {
  return { secretDigests: secretDigests.slice(0, 1) };
}

/** The digests of the secrets that are valid at this time. */
export function liveDigests({ secretDigests, previousSecretUntil }: ClientSecrets, now: Date): readonly string[] {
  const isOver = previousSecretUntil !== undefined && previousSecretUntil <= now.toISOString();
  return isOver ? secretDigests.slice(0, 1) : secretDigests;
}

/** Compares with every valid secret, in constant time. */
export function isLiveSecret(secret: string, secrets: ClientSecrets, now: Date): boolean {
  const given = createHash('sha256').update(secret).digest();
  return liveDigests(secrets, now)
    .map((digest) => timingSafeEqual(given, Buffer.from(digest, 'hex')))
    .includes(true);
}
