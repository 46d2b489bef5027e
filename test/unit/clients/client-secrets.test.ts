import { describe, expect, test } from 'vitest';
import { createClientOnboarding } from '#shared/clients/client-onboarding.ts';
import {
  isLiveSecret,
  liveDigests,
  secretDigest,
  secretsAfterLeak,
  secretsAfterRotation,
} from '#shared/clients/client-secrets.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT } from '#test/support/ids.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = new Date('2026-08-01T12:00:00.000Z');
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3600 * 1000);

const first = { secretDigests: [secretDigest('first')] };
const second = secretsAfterRotation(first, 'second', NOW);

describe('decisions 11, clients: a secret that was replaced', () => {
  test('is valid for 24 hours beside the new one, and not a moment longer', () => {
    expect(isLiveSecret('first', second, hoursLater(23.99))).toBe(true);
    expect(isLiveSecret('first', second, hoursLater(24))).toBe(false);
    for (const hours of [0, 24, 1000]) expect(isLiveSecret('second', second, hoursLater(hours))).toBe(true);
  });

  test('stays valid when another secret is made within the day, as the only answer may have been lost', () => {
    const third = secretsAfterRotation(second, 'third', hoursLater(1));
    const live = (hours: number) =>
      ['first', 'second', 'third'].map((secret) => isLiveSecret(secret, third, hoursLater(hours)));
    expect([live(24.9), live(25)]).toEqual([
      [true, true, true],
      [false, false, true],
    ]);
  });

  test('is no longer valid once its day is over, whatever comes after', () => {
    const third = secretsAfterRotation(second, 'third', hoursLater(24));
    expect(third.secretDigests).toEqual([secretDigest('third'), secretDigest('second')]);
  });
});

test('decisions 11, clients: replacing a leaked secret ends all secrets but the new one at once', () => {
  const after = secretsAfterLeak('third');
  expect(['first', 'second', 'third'].map((secret) => isLiveSecret(secret, after, NOW))).toEqual([false, false, true]);
  expect(isLiveSecret('third', after, hoursLater(25))).toBe(true);
});

test('secrets of a record without a time are all valid', () => {
  expect(liveDigests({ secretDigests: ['one', 'other'] }, NOW)).toEqual(['one', 'other']);
});

test('a rotation whose answer was lost is done: repeated, it would end the secret that the client still uses', async () => {
  const { dynamo, table } = tablesInMemory(1);
  table('clients').put({ clientId: CLIENT, ...first });
  const { replaceSecrets } = createClientOnboarding(dynamo, 'clients', fakeClock(NOW.toISOString()));
  expect(await replaceSecrets(CLIENT, first, second)).toBe(true);
  expect(table('clients').find({ clientId: CLIENT })).toEqual({ clientId: CLIENT, ...second });
  expect(await replaceSecrets(CLIENT, first, secretsAfterLeak('third'))).toBe(false);
});
