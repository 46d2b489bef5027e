import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { depositScenarios } from '../support/deposit-scenarios.ts';
import { newHash, OffRampUser } from '../support/http-client.ts';

/** What was lost comes back. One test after another, because a sweep brings everything back that it finds. */

const user = new OffRampUser();
const scenarios = depositScenarios();
const alone = { concurrent: false };

test('11. a start that was lost after the write is made up for by the same call', alone, async () => {
  const { id } = await user.create();
  const txHash = newHash();
  await scenarios.declare(id, txHash);
  expect(await scenarios.execution(id, 1)).toBeUndefined();
  expect((await user.submit(id, txHash)).status).toBe(202);
  expect((await scenarios.execution(id, 1))?.status).toBe('RUNNING');
  expect((await user.read(id)).verification?.attempt).toBe(1);
});

test('11. a start that was lost after the write is made up for by the sweep', alone, async () => {
  const { id } = await user.create();
  await scenarios.declare(id, newHash());
  await scenarios.sweep(4);
  expect((await scenarios.execution(id, 1))?.status).toBe('RUNNING');
});

test('11. an execution that died in mid-window is replaced by the same call, with the same window', alone, async () => {
  const { id, expiresAt } = await user.create();
  const txHash = newHash();
  await user.submit(id, txHash);
  const { executionArn } = (await scenarios.execution(id, 1)) ?? {};
  await scenarios.stepFunctions.send(new StopExecutionCommand({ executionArn }));
  expect((await user.submit(id, txHash)).status).toBe(202);
  expect((await user.read(id)).verification).toMatchObject({ attempt: 2, windowEndsAt: expiresAt });
  expect((await scenarios.execution(id, 2))?.status).toBe('RUNNING');
});

test('12. sweep against submit over a dead execution: one attempt more, one execution more', alone, async () => {
  const { id } = await user.create();
  const txHash = newHash();
  await user.submit(id, txHash);
  const { executionArn } = (await scenarios.execution(id, 1)) ?? {};
  await scenarios.stepFunctions.send(new StopExecutionCommand({ executionArn }));
  const [submitted] = await Promise.all([user.submit(id, txHash), scenarios.sweep(4)]);
  expect(submitted.status).toBe(202);
  expect((await user.read(id)).verification?.attempt).toBe(2);
  expect((await scenarios.execution(id, 2))?.status).toBe('RUNNING');
  expect(await scenarios.execution(id, 3)).toBeUndefined();
});

test(
  'killed between the credit and its note of the look, the verification is settled by the sweep',
  alone,
  async () => {
    const { id } = await user.create();
    const verification = await scenarios.declare(id, newHash());
    await scenarios.confirmDeposit(id, await scenarios.transferFor(id, verification.txHash));
    expect((await scenarios.state(id)).verification?.nextCheckAt).toBeDefined();
    await scenarios.sweep(4);
    expect((await scenarios.state(id)).verification?.nextCheckAt).toBeUndefined();
  },
);
