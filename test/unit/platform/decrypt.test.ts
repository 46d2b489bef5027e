import { type DecryptCommandInput, type EncryptCommandInput, KMSClient } from '@aws-sdk/client-kms';
import { expect, test } from 'vitest';
import { createDecrypt, createEncrypt } from '#shared/platform/aws/kms.ts';
import { createDecryptSecret, createIssueSecret } from '#shared/webhooks/http-client/send-event.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const NOON = '2026-08-01T12:00:00.000Z';

/** Encrypts by storing the key id and the context with the text; decrypts only if both are the same again. */
function fakeKms() {
  const asked: object[] = [];
  const bound = ({ KeyId, EncryptionContext }: EncryptCommandInput | DecryptCommandInput) =>
    JSON.stringify([KeyId, EncryptionContext]);
  return Object.assign(new KMSClient({ region: 'us-east-1' }), {
    asked,
    send: async ({ input }: { input: EncryptCommandInput | DecryptCommandInput }) => {
      asked.push(input);
      if ('Plaintext' in input) {
        return {
          CiphertextBlob: Buffer.from(JSON.stringify([bound(input), Buffer.from(input.Plaintext ?? '').toString()])),
        };
      }
      const [seal, text] = JSON.parse(
        Buffer.from('CiphertextBlob' in input ? (input.CiphertextBlob ?? '') : '').toString(),
      );
      if (seal !== bound(input)) throw new Error('InvalidCiphertextException');
      return { Plaintext: Buffer.from(text) };
    },
  });
}

test('decisions 7, signing: a ciphertext opens in its own context only', async () => {
  const kms = fakeKms();
  const ciphertext = await createEncrypt(kms, 'key-1')('whsec_ñ€', { webhookId: 'webhook-1' });
  const open = createDecrypt(kms, 'key-1');
  expect(await open(ciphertext, { webhookId: 'webhook-1' })).toBe('whsec_ñ€');
  await expect(open(ciphertext, { webhookId: 'webhook-2' })).rejects.toThrow('InvalidCiphertextException');
  await expect(createDecrypt(kms, 'key-2')(ciphertext, { webhookId: 'webhook-1' })).rejects.toThrow();
});

test('decisions 7, signing: a secret opens for the webhook that it was issued to', async () => {
  const kms = fakeKms();
  const issueSecret = createIssueSecret(createEncrypt(kms, 'key-1'), (size) => Buffer.alloc(size, 7));
  const { secret, ciphertext } = await issueSecret('webhook-1');
  const decryptSecret = createDecryptSecret(createDecrypt(kms, 'key-1'), fakeClock(NOON));
  expect(await decryptSecret(ciphertext, 'webhook-1')).toBe(secret);
  await expect(decryptSecret(ciphertext, 'webhook-2')).rejects.toThrow();
});

test('a decrypted secret is kept for five minutes, for its webhook alone; one that could not be decrypted is tried again', async () => {
  const clock = fakeClock(NOON);
  const asked: string[] = [];
  let isBroken = false;
  const decryptSecret = createDecryptSecret(async (ciphertext, { webhookId }) => {
    asked.push(`${webhookId} ${ciphertext}`);
    if (isBroken) throw new Error('DisabledException');
    return `opened ${ciphertext}`;
  }, clock);
  for (const ciphertext of ['old', 'new', 'old']) await decryptSecret(ciphertext, 'webhook-1');
  await decryptSecret('old', 'webhook-2');
  expect(asked.splice(0)).toEqual(['webhook-1 old', 'webhook-1 new', 'webhook-2 old']);
  isBroken = true;
  clock.advance(299);
  expect(await decryptSecret('old', 'webhook-1')).toBe('opened old');
  clock.advance(1);
  await expect(decryptSecret('old', 'webhook-1')).rejects.toThrow('DisabledException');
  isBroken = false;
  expect(await decryptSecret('old', 'webhook-1')).toBe('opened old');
  expect(asked).toEqual(['webhook-1 old', 'webhook-1 old']);
});

test('an answer of KMS without a text is no secret', async () => {
  const kms = Object.assign(new KMSClient({ region: 'us-east-1' }), { send: async () => ({}) });
  await expect(createDecrypt(kms, 'key-1')('AAAA', {})).rejects.toThrow('KMS returned no decrypted text.');
});
