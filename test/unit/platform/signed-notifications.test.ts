import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { describe, expect, test } from 'vitest';
import {
  createSimulatedReadNotification,
  simulatedNotification,
} from '#shared/off-ramps/custodians/simulated/simulated-custodian.ts';
import { SIGNATURE_HEADER } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import {
  simulatedRailNotification,
  simulatedReadRailNotification,
} from '#shared/pay-ins/rails/simulated/rail-notifications.ts';
import { RAIL_SIGNATURE_HEADER } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { BadSignature, signDetached } from '#shared/platform/aws/kms.ts';
import { HASH } from '#test/support/off-ramp.ts';

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const [key, foreignKey] = [keyPair(), keyPair()];

/** Signs as the key service does. */
function kmsWith(privateKey: KeyObject) {
  const commands: unknown[] = [];
  const kms = Object.assign(new KMSClient({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: { readonly Message: Uint8Array } }) => {
      commands.push(input);
      return { Signature: sign('sha512', input.Message, privateKey) };
    },
  });
  return { kms, commands };
}

const signed = (body: string, by = key) => signDetached(kmsWith(by.privateKey).kms, 'key-1', body);

/** A header of a JWS, signed by the right key. */
function signedAs(header: object, body: string): string {
  const [protectedHeader, payload] = [JSON.stringify(header), body].map((text) =>
    Buffer.from(text).toString('base64url'),
  );
  const signature = sign('sha512', Buffer.from(`${protectedHeader}.${payload}`), key.privateKey);
  return `${protectedHeader}..${signature.toString('base64url')}`;
}

const TRANSFER = { custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH } as const;

const rail = {
  read: simulatedReadRailNotification(async () => key.publicKey),
  header: RAIL_SIGNATURE_HEADER,
  body: simulatedRailNotification('payin-1'),
  says: ['payin-1'],
  aboutOthers: '{"event":"bank.maintenance"}',
};
const custodian = {
  read: createSimulatedReadNotification(async () => key.publicKey),
  header: SIGNATURE_HEADER,
  body: simulatedNotification(TRANSFER),
  says: [TRANSFER],
  aboutOthers: '{"eventType":"vault.created"}',
};

describe.each([
  ['the payment rail', rail],
  ['the custodian', custodian],
])('decisions 5 and 4: a notification of %s', (_, { read, header, body, says, aboutOthers }) => {
  const reading = (rawBody: string, signature?: string) =>
    read({
      rawBody: Buffer.from(rawBody),
      headers: new Map(signature === undefined ? [] : [[header, signature]]),
      query: {},
    });

  test('that is signed over its bytes says what it is about', async () => {
    expect(await reading(body, await signed(body))).toEqual(says);
  });

  test('about something else is about nothing of ours', async () => {
    expect(await reading(aboutOthers, await signed(aboutOthers))).toEqual([]);
  });

  test.each<[string, string | undefined | Promise<string>]>([
    ['no signature', undefined],
    ['an empty one', ''],
    ['the signature of another key', signed(body, foreignKey)],
    ['the signature of other bytes', signed(`${body} `)],
    ['no algorithm', `${Buffer.from('{"alg":"none"}').toString('base64url')}..`],
    ['another algorithm of the same key', signedAs({ alg: 'RS256' }, body)],
    ['an extension that nobody knows', signedAs({ alg: 'RS512', crit: ['exp'], exp: 1 }, body)],
    ['its payload in the signature', signed(body).then((text) => text.replace('..', `.${btoa(body)}.`))],
    ['a fourth part', signed(body).then((text) => `${text}.x`)],
    ['two parts', signed(body).then((text) => text.replace('..', '.'))],
  ])('with %s is not the provider’s', async (_case, signature) => {
    await expect(reading(body, await signature)).rejects.toThrow(BadSignature);
  });

  test('that is not what was agreed fails, signed as it is, so that it is sent again', async () => {
    for (const wrong of ['', 'x', '[]', '{}', body.replace(/"data":.*/, '"data":{}}')]) {
      await expect(reading(wrong, await signed(wrong))).rejects.not.toBeInstanceOf(BadSignature);
    }
  });
});

test('the simulated providers sign with the key of their settings', async () => {
  const { kms, commands } = kmsWith(key.privateKey);
  await signDetached(kms, 'key-1', '{}');
  const algorithm = { MessageType: 'RAW', SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_512' };
  expect(commands).toMatchObject([{ KeyId: 'key-1', ...algorithm }]);
});
