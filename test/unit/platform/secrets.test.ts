import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test, vi } from 'vitest';
import { createSecret } from '#shared/platform/aws/secrets.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const NAME = 'payments/key';

/** Secrets Manager with one secret that changes. */
function world(read: (text: string) => unknown = (text) => ({ text })) {
  const clock = fakeClock('2026-11-23T12:00:00.000Z');
  const secretsManager = new SecretsManagerClient({});
  const stored: (string | undefined | Error)[] = ['first'];
  const send = vi.spyOn(secretsManager, 'send').mockImplementation(async () => {
    const SecretString = stored.length > 1 ? stored.shift() : stored[0];
    if (SecretString instanceof Error) throw SecretString;
    return { SecretString };
  });
  const secret = createSecret({ secretsManager, clock }, NAME, read);
  return { clock, stored, secret, calls: () => send.mock.calls.length };
}

class Refused extends Error {
  readonly refusesSecret = true;
}

const itself = async (value: unknown) => value;

test('decisions 12: a secret is kept for five minutes, and the same text stays the same value', async () => {
  const { clock, stored, secret, calls } = world();
  secret.warmUp();
  const first = await secret.use(itself);
  expect([first, calls()]).toEqual([{ text: 'first' }, 1]);
  clock.advance(299);
  expect([await secret.use(itself), calls()]).toEqual([first, 1]);
  clock.advance(1);
  expect((await secret.use(itself)) === first && calls() === 2).toBe(true);
  stored[0] = 'second';
  clock.advance(300);
  expect(await secret.use(itself)).toEqual({ text: 'second' });
});

test('decisions 12: a secret that the provider refuses is read again at once, once, unless it was just read', async () => {
  const { clock, stored, secret, calls } = world((text) => text);
  const asked: unknown[] = [];
  const ask = (fine: string) => (value: unknown) => {
    asked.push(value);
    return value === fine ? Promise.resolve('answer') : Promise.reject(new Refused());
  };
  await expect(secret.use(ask('second'))).rejects.toThrow(Refused);
  clock.advance(10);
  stored[0] = 'second';
  expect(await secret.use(ask('second'))).toBe('answer');
  await expect(secret.use(ask('third'))).rejects.toThrow(Refused);
  expect([asked, calls()]).toEqual([['first', 'first', 'second', 'second'], 2]);
  // A failure that does not come from the secret reads it no second time.
  clock.advance(10);
  await expect(secret.use(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(calls()).toBe(2);
});

test.each<[string, string | undefined | Error]>([
  ['cannot be read', Object.assign(new Error('secret text'), { name: 'AccessDeniedException' })],
  ['is no text', undefined],
  ['is not in its format', 'secret text'],
])(
  'a secret that %s is unavailable, in a sentence without what is in it, and read again when it is used next',
  async (_, given) => {
    const { stored, secret } = world((text) => {
      if (text !== 'fine') throw new Error(text);
      return text;
    });
    stored[0] = given;
    secret.warmUp();
    const failure: unknown = await secret.use(itself).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Unavailable);
    expect(String(failure)).toContain(NAME);
    expect(JSON.stringify([String(failure), failure])).not.toContain('secret text');
    stored[0] = 'fine';
    expect(await secret.use(itself)).toBe('fine');
  },
);
