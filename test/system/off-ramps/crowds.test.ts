import { expect, test } from 'vitest';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { newHash, OffRampUser, problemOf } from '#test/support/http-client.ts';

/** Many callers at once: one test after another, because each takes the whole machine. */

const user = new OffRampUser();
const scenarios = depositScenarios();
const alone = { concurrent: false };

test('two declarations of one hash: of 50 at once exactly one is accepted', alone, async () => {
  const operations = await Promise.all(Array.from({ length: 50 }, () => user.create()));
  const txHash = newHash();
  const answers = await Promise.all(operations.map(({ id }) => user.submitAsIs(id, txHash)));
  const accepted = answers.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(1);
  for (const refused of answers.filter(({ status }) => status !== 202)) {
    expect(problemOf(refused)).toMatchObject({ status: 409, code: 'TX_HASH_ALREADY_DECLARED' });
  }
});

test(
  '50 declarations of different hashes by one operation: one is current, the others are free again',
  alone,
  async () => {
    const [operation, next] = [await user.create(), await user.create()];
    const hashes = Array.from({ length: 50 }, () => newHash());
    const answers = await Promise.all(hashes.map((txHash) => user.submitAsIs(operation.id, txHash)));
    expect(answers.every(({ status }) => status === 202 || status === 503)).toBe(true);
    const { txHash } = await user.read(operation.id);
    const claims = await Promise.all(hashes.map((hash) => scenarios.claimant('DECLARED', hash)));
    expect(hashes.filter((_, index) => claims[index] !== undefined)).toEqual([txHash]);
    expect(
      (
        await user.submitAsIs(
          next.id,
          hashes.find((hash) => hash !== txHash),
        )
      ).status,
    ).toBe(202);
  },
);

test('decisions 4: after 100 attempts 409 TOO_MANY_ATTEMPTS', alone, async () => {
  const { id } = await user.create();
  for (let attempt = 1; attempt <= 100; attempt += 1) await scenarios.declare(id, newHash());
  expect(problemOf(await user.submitAsIs(id, newHash()))).toMatchObject({ status: 409, code: 'TOO_MANY_ATTEMPTS' });
});
