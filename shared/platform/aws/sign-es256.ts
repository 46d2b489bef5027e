import { type KMSClient, SignCommand } from '@aws-sdk/client-kms';

/** Signs bytes; returns the raw 64 bytes r and s of an ES256 signature. */
export type SignBytes = (message: Uint8Array) => Promise<Uint8Array>;

/** Signs with an ECC_NIST_P256 key, in the form that JWS wants (RFC 7518 §3.4). */
export function createSignEs256(kms: KMSClient, keyId: string): SignBytes {
  return async (message) => {
    const { Signature } = await kms.send(
      new SignCommand({ KeyId: keyId, Message: message, MessageType: 'RAW', SigningAlgorithm: 'ECDSA_SHA_256' }),
    );
    return rawSignature(Signature ?? new Uint8Array());
  };
}

/** KMS answers in DER: SEQUENCE { INTEGER r, INTEGER s }, each without leading zeros or with one too many. */
export function rawSignature(der: Uint8Array): Uint8Array {
  const firstLength = der[3] ?? 0;
  const first = der.subarray(4, 4 + firstLength);
  const second = der.subarray(6 + firstLength);
  return Buffer.concat([first, second].map((integer) => Buffer.concat([Buffer.alloc(32), integer]).subarray(-32)));
}
