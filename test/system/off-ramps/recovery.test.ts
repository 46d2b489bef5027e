import { setTimeout as sleep } from 'node:timers/promises';
import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { beforeAll, expect, test } from 'vitest';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { type HashRead, newHash, OffRampUser } from '#test/support/http-client.ts';

/** Recovery of lost work. Tests run one after another, because a sweep recovers everything that it finds. */

const user = new OffRampUser();
const scenarios = depositScenarios();
const alone = { concurrent: false };

/** Milliseconds. If a poll is this late, a submission of the same hash starts its execution again. */
const OVERDUE_FOR_A_SUBMISSION = 10_500;

/** Stops the execution of a run, as if it had broken off. */
async function stop(operationId: string): Promise<void> {
  const { executionArn } = (await scenarios.execution(operationId, 1)) ?? {};
  await scenarios.stepFunctions.send(new StopExecutionCommand({ executionArn }));
}

/** Waits until a submission restarts a stopped execution: a poll that was under way still delays the next one. */
async function untilOverdue(operationId: string): Promise<void> {
  const isOverdue = ({ verification }: HashRead) =>
    Date.parse(verification?.nextCheckAt ?? '') < Date.now() - OVERDUE_FOR_A_SUBMISSION;
  await user.readUntil(operationId, isOverdue);
}

/** An operation whose execution was stopped, returned once the next submission restarts it. */
async function stopped() {
  const operation = await user.create();
  const txHash = newHash();
  await user.submit(operation.id, txHash);
  await stop(operation.id);
  await untilOverdue(operation.id);
  return { ...operation, txHash };
}

/** An operation whose submission was stored but never started, returned once the next submission starts it. */
async function neverStarted() {
  const { id } = await user.create();
  const txHash = newHash();
  await scenarios.declare(id, txHash);
  expect((await user.submit(id, txHash)).status).toBe(202);
  expect(await scenarios.execution(id, 1)).toBeUndefined();
  await sleep(OVERDUE_FOR_A_SUBMISSION);
  return { id, txHash };
}

let unstarted: Awaited<ReturnType<typeof neverStarted>>;
let deadBeforeSubmission: Awaited<ReturnType<typeof stopped>>;

// Both wait at the same time, before the first sweep.
beforeAll(async () => {
  [unstarted, deadBeforeSubmission] = await Promise.all([neverStarted(), stopped()]);
});

test('a start that was lost after the write is repeated by the same call, ten seconds later', alone, async () => {
  const { id, txHash } = unstarted;
  expect((await user.submit(id, txHash)).status).toBe(202);
  expect((await scenarios.execution(id, 1))?.status).toBe('RUNNING');
  expect((await user.read(id)).verification?.attempt).toBe(1);
});

test(
  'an execution that died in mid-window is followed by the next run of its attempt, same window',
  alone,
  async () => {
    const { id, txHash, expiresAt } = deadBeforeSubmission;
    expect((await user.submit(id, txHash)).status).toBe(202);
    expect((await user.read(id)).verification).toMatchObject({ attempt: 1, windowEndsAt: expiresAt });
    expect((await scenarios.execution(id, 1, 2))?.status).toBe('RUNNING');
    expect(await scenarios.execution(id, 2)).toBeUndefined();
    await user.deposit(deadBeforeSubmission, txHash);
    expect(await user.readUntil(id, ({ status }) => status === 'VERIFIED')).toMatchObject({
      verification: { attempt: 1 },
    });
  },
);

test(
  'an execution that died at the end of its window is brought to its end by the sweep, which is told',
  alone,
  async () => {
    const { id } = await user.create();
    const windowEndsAt = new Date(Date.now() + 3000).toISOString();
    const attempt = await scenarios.beginAttempt(await scenarios.state(id), { txHash: newHash(), windowEndsAt });
    await scenarios.startExecution(attempt);
    await stop(id);
    await sleep(3000);
    await scenarios.sweep(4);
    const read = await user.readUntil(id, ({ verification }) => verification?.state === 'WINDOW_ENDED');
    expect(read).toMatchObject({ status: 'VERIFYING', verification: { attempt: 1, reason: 'NOT_FOUND' } });
    const told = await scenarios.eventsOf((await scenarios.state(id)).operation);
    expect(told.filter(({ type }) => type === 'ramp.deposit_hash.window_ended')).toMatchObject([
      { data: { attempt: 1 } },
    ]);
  },
);
