import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSignEs256, rawSignature } from '#shared/platform/aws/kms.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function isGood(message: Uint8Array, signature: Uint8Array): boolean {
  return verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
}

test('decisions 1, access token: a real DER signature becomes the 64 bytes of ES256', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (message) => {
      const signature = rawSignature(sign('sha256', message, privateKey));
      expect(signature).toHaveLength(64);
      expect(isGood(message, signature)).toBe(true);
    }),
    { numRuns: 1500 },
  );
});

/** DER drops leading zeros of an integer and adds one when its first bit is set. */
function derInteger(bytes: Uint8Array): Buffer {
  const short = Buffer.from(bytes).subarray(Math.min(bytes.findIndex((byte) => byte !== 0) >>> 0, bytes.length - 1));
  const content = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), short]) : short;
  return Buffer.concat([Buffer.from([0x02, content.length]), content]);
}

test('decisions 1, access token: integers of every length keep their place', () => {
  const integer = fc
    .tuple(fc.nat(31), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([zeros, bytes]) => bytes.fill(0, 0, zeros));
  fc.assert(
    fc.property(integer, integer, (r, s) => {
      const content = Buffer.concat([derInteger(r), derInteger(s)]);
      const der = Buffer.concat([Buffer.from([0x30, content.length]), content]);
      expect(Buffer.from(rawSignature(der)).toString('hex')).toBe(Buffer.concat([r, s]).toString('hex'));
    }),
    { numRuns: 1000 },
  );
});

test('decisions 1, access token: the key named in the settings signs the whole message', async () => {
  const commands: unknown[] = [];
  const kms = Object.assign(new KMSClient({ region: 'us-east-1' }), {
    send: async ({ input }: { input: { Message: Uint8Array } }) => {
      commands.push(input);
      return { Signature: sign('sha256', input.Message, privateKey) };
    },
  });
  const message = Buffer.from('header.claims');
  expect(isGood(message, await createSignEs256(kms, 'key-1')(message))).toBe(true);
  expect(commands).toMatchObject([{ KeyId: 'key-1', MessageType: 'RAW', SigningAlgorithm: 'ECDSA_SHA_256' }]);
});
