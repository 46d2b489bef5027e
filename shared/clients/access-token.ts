import type { KeyObject } from 'node:crypto';
import { base64url, jwtVerify } from 'jose';
import type { SignBytes } from '#shared/platform/aws/kms.ts';
import { setting } from '#shared/platform/environment.ts';
import { ACCESS_TOKEN_SECONDS, BEARER_TOKEN } from './access-token-contract.ts';

/** Distinguishes these tokens from others that the same key might sign. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly keyId: string;
}

/** A JWT of five minutes whose subject is the client (decisions.md 1, Access token). */
export async function signAccessToken(
  { issuer, audience, keyId }: TokenIssuer,
  clientId: string,
  now: Date,
  tokenId: string,
  sign: SignBytes,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const header = { alg: 'ES256', typ: 'JWT', kid: keyId };
  const claims = {
    iss: issuer,
    aud: audience,
    sub: clientId,
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_SECONDS,
    jti: tokenId,
  };
  const signed = `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(claims))}`;
  return `${signed}.${base64url.encode(await sign(Buffer.from(signed)))}`;
}

/** Seconds by which clocks may differ. */
const LEEWAY = 5;

/**
 * Returns the client of an `Authorization` header and the expiry of its token; `undefined` unless the token is valid:
 * signed with ES256 by this key, for this issuer and audience, with every claim.
 */
export async function verifyAuthorization(
  header: string,
  { issuer, audience, keyId }: TokenIssuer,
  publicKey: KeyObject,
  now: Date,
): Promise<{ readonly clientId: string; readonly expiresAtSeconds: number } | undefined> {
  const [, token] = BEARER_TOKEN.exec(header) ?? [];
  if (token === undefined) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      issuer,
      audience,
      currentDate: now,
      clockTolerance: LEEWAY,
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    });
    const { sub, exp } = payload;
    if (protectedHeader.kid !== keyId || sub === undefined || exp === undefined) return undefined;
    return { clientId: sub, expiresAtSeconds: exp };
  } catch {
    return undefined;
  }
}

export function tokenIssuerSetting(): TokenIssuer {
  return {
    issuer: setting('TOKEN_ISSUER'),
    audience: setting('TOKEN_AUDIENCE'),
    keyId: setting('TOKEN_KEY_ID'),
  };
}
