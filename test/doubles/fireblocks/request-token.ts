import { createHash, verify } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Role, User } from './answer.ts';

export interface ApiUser {
  readonly apiKey: string;
  readonly publicKeyPem: string;
  readonly role: Role;
  /** True if the vendor refuses the user's certificate. */
  readonly isExpired?: boolean;
}

interface TokenRequest {
  /** The request target as received, byte for byte, with its query. */
  readonly target: string;
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

/** Why a token is refused, with 401: Fireblocks, API reference, API responses and error codes. */
const refusals = {
  SIGNATURE: [-1, 'Invalid signature'],
  NO_KEY: [-2, 'API key is missing in the JWT'],
  NO_TOKEN: [-3, 'JWT is missing'],
  URI: [-4, 'Wrong URL specified in the JWT'],
  EXPIRED_USER: [-5, 'The certificate of the API user has expired'],
  USER: [-6, 'Wrong user'],
  TOKEN: [-7, 'Token was not accepted'],
} as const;

export type TokenRefusal = (typeof refusals)[keyof typeof refusals];

const header = z.object({ alg: z.literal('RS256') });
const claims = z.object({
  uri: z.string(),
  nonce: z.union([z.string(), z.number()]),
  iat: z.int(),
  exp: z.int(),
  sub: z.optional(z.string()),
  bodyHash: z.string(),
});

function decode<Schema extends z.core.$ZodType>(schema: Schema, part = ''): z.output<Schema> | undefined {
  try {
    return z.safeParse(schema, JSON.parse(Buffer.from(part, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

/** Verifies a token's signature, and returns its user and claims, or a refusal. */
function readToken(users: readonly ApiUser[], { apiKey, authorization }: TokenRequest) {
  const [, first, second, signature = ''] = /^Bearer ([^.]+)\.([^.]+)\.([^.]+)$/.exec(authorization ?? '') ?? [];
  if (authorization === undefined) return refusals.NO_TOKEN;
  const said = decode(claims, second);
  if (decode(header, first) === undefined || said === undefined) return refusals.TOKEN;
  if (said.sub === undefined) return refusals.NO_KEY;
  const user = users.find((one) => one.apiKey === said.sub);
  if (user === undefined || apiKey !== said.sub) return refusals.USER;
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${first}.${second}`),
    user.publicKeyPem,
    Buffer.from(signature, 'base64url'),
  );
  return isSigned ? { user, said } : refusals.SIGNATURE;
}

/**
 * Verifies request tokens: Fireblocks, documentation, Signing a request. The code for a repeated nonce, a wrong time or
 * a wrong hash of the body is not documented: −7.
 */
export function createTokenVerifier(clock: Pick<Clock, 'now'>, users: readonly ApiUser[]) {
  /** The expiry of each nonce, in seconds since 1970; the oldest nonce first. */
  const nonces = new Map<string, number>();

  function isNew(nonce: string, exp: number, now: number): boolean {
    for (const [old, end] of nonces) {
      if (end > now) break;
      nonces.delete(old);
    }
    if (nonces.has(nonce)) return false;
    nonces.set(nonce, exp);
    return true;
  }

  return (request: TokenRequest): User | TokenRefusal => {
    const read = readToken(users, request);
    if (!('said' in read)) return read;
    const { user, said } = read;
    if (user.isExpired === true) return refusals.EXPIRED_USER;
    if (said.uri !== request.target) return refusals.URI;
    const now = clock.now().getTime() / 1000;
    const isTimely = said.exp < said.iat + 30 && said.iat <= now + 30 && now < said.exp;
    const isOfBody = said.bodyHash === createHash('sha256').update(request.body).digest('hex');
    const isAccepted = isTimely && isOfBody && isNew(`${said.sub} ${said.nonce}`, said.exp, now);
    return isAccepted ? { apiKey: user.apiKey, role: user.role } : refusals.TOKEN;
  };
}
