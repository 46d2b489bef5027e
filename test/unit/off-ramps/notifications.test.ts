import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { base64url } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  simulatedNotification,
  simulatedReadNotification,
} from '#shared/off-ramps/custodians/simulated/custodian-notifications.ts';
import { SIGNATURE_HEADER } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { BadSignature } from '#shared/platform/aws/detached-jws.ts';
import { HASH } from '#test/support/off-ramp.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const transfer = { custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH } as const;
const text = JSON.stringify({ eventType: 'transaction.status.updated', data: transfer });

function signature(body: string, key: KeyObject = privateKey, header: object = { alg: 'RS512' }): string {
  const encoded = base64url.encode(JSON.stringify(header));
  const bytes = sign('sha512', Buffer.from(`${encoded}.${base64url.encode(body)}`), key);
  return `${encoded}..${base64url.encode(bytes)}`;
}

const readNotification = simulatedReadNotification(async () => publicKey);
const read = (body: string, value: string | undefined) =>
  readNotification({
    rawBody: Buffer.from(body),
    headers: new Map(value === undefined ? [] : [[SIGNATURE_HEADER, value]]),
  });

describe("decisions 4, detected without a report: the custodian's signed notification", () => {
  test('tells which transfer it is about', async () => {
    expect(await read(text, signature(text))).toEqual(transfer);
  });

  test('about something else tells none', async () => {
    const other = JSON.stringify({ eventType: 'vault.created', data: { id: 1 } });
    expect(await read(other, signature(other))).toBeUndefined();
  });

  test('is what the simulated custodian sends', async () => {
    const sent = simulatedNotification(transfer);
    expect(await read(sent, signature(sent))).toEqual(transfer);
  });

  const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const good = signature(text);
  const [header = '', , bytes = ''] = good.split('.');

  test.each([
    ['no signature', text, undefined],
    ['an empty signature', text, ''],
    ['a signature over other bytes', `${text} `, good],
    ['a signature by another key', text, signature(text, another)],
    ['another algorithm in the header', text, signature(text, privateKey, { alg: 'RS256' })],
    ['alg none', text, `${base64url.encode('{"alg":"none"}')}..`],
    ['a signature that brings its own payload', text, `${header}.${base64url.encode(text)}.${bytes}`],
    ['too many parts', text, `${good}.${bytes}`],
    ['too few parts', text, `${header}.${bytes}`],
  ])('is refused with %s', async (_, body, value) => {
    await expect(read(body, value)).rejects.toThrow(BadSignature);
  });
});
