import { ExecutionAlreadyExists, SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import { createStartExecution } from '#shared/off-ramps/transitions/verification-executions.ts';
import { CLIENT, OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, verification } from '#test/support/off-ramp.ts';

const MACHINE = 'arn:aws:states:us-east-1:1:stateMachine:verification';

/** A state machine whose start fails with this error. */
function world(fault?: Error) {
  const sent: unknown[] = [];
  const client = Object.assign(new SFNClient({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: object }) => {
      sent.push(input);
      if (fault !== undefined) throw fault;
      return {};
    },
  });
  return { sent, start: createStartExecution(client, MACHINE) };
}

describe('decisions 4, resubmitting: the execution of a run', () => {
  test('is started by its name, with exactly the frozen facts of its attempt', async () => {
    const { start, sent } = world();
    expect(await start(verification({ run: 3, reason: 'NOT_FOUND' }))).toBe('RUNNING');
    const awaited = { clientId: CLIENT, amount: '100.5', token: 'USDC', network: 'ETHEREUM' };
    const attempt = { operationId: OPERATION, attempt: 1, ...awaited, txHash: HASH };
    const input = { ...attempt, windowStartsAt: CREATED_AT, windowEndsAt: EXPIRES_AT };
    expect(sent).toEqual([{ stateMachineArn: MACHINE, name: `${OPERATION}-1-3`, input: JSON.stringify(input) }]);
  });

  test('whose name is taken no longer runs, or belongs to another attempt: nothing more is asked', async () => {
    const { start, sent } = world(new ExecutionAlreadyExists({ message: 'taken', $metadata: {} }));
    expect(await start(verification())).toBe('TAKEN');
    expect(sent).toHaveLength(1);
  });

  test('whose start fails for another reason has an unknown state, which is no result', async () => {
    const { start, sent } = world(new Error('throttled'));
    await expect(start(verification())).rejects.toThrow('throttled');
    expect(sent).toHaveLength(1);
  });
});
