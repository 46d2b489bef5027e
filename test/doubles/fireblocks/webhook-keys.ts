import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: object;
}

/** The keys of webhooks: a detached JWS of RS512, and the JWKS that verifies it (Fireblocks, Validating webhooks). */
export function createWebhookKeys() {
  let made = 0;
  const make = (): SigningKey => {
    made += 1;
    const kid = `webhook-key-${made}`;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS512', use: 'sig' } };
  };
  let current = make();
  let published = [current];

  return {
    /** The header `Fireblocks-Webhook-Signature` for these bytes. */
    signatureOf(body: string): string {
      const header = Buffer.from(JSON.stringify({ alg: 'RS512', kid: current.kid })).toString('base64url');
      const signed = `${header}.${Buffer.from(body).toString('base64url')}`;
      return `${header}..${sign('RSA-SHA512', Buffer.from(signed), current.privateKey).toString('base64url')}`;
    },
    jwks: () => JSON.stringify({ keys: published.map(({ jwk }) => jwk) }),
    /** Signs with a new key from now on; the JWKS keeps the old keys, unless they are dropped. */
    rotate({ dropsOld = false }: { readonly dropsOld?: boolean } = {}): void {
      current = make();
      published = dropsOld ? [current] : [...published, current];
    },
  };
}
