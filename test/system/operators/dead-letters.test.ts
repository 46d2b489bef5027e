import { expect, test } from 'vitest';
import { redriveDeadLettersContract } from '#shared/operators/dead-letter-commands.ts';
import { listDeadLettersContract } from '#shared/operators/lists.ts';
import { eventually } from '#test/support/eventually.ts';
import { functionLogs } from '#test/support/function-logs.ts';
import { operate } from '#test/support/operator-client.ts';

test('decisions 11, putting right: SQS is asked to move dead letters, which the local AWS does not know how to', async () => {
  const unknown = await operate(redriveDeadLettersContract, { queue: 'Publication/Unhandled' });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  const refused = await operate(redriveDeadLettersContract, { queue: 'Deliveries/Events' });
  expect([refused.status, refused.body.code]).toEqual([500, 'INTERNAL_ERROR']);
  // The local AWS allows it to no role, because it looks for the queue elsewhere. Once it moves messages, this test has some moved.
  const asked = new RegExp(`requestId: '${refused.body.requestId}'[^}]*to perform: sqs:StartMessageMoveTask`);
  await eventually(
    () => functionLogs(),
    (lines) => asked.test(lines),
  );
  expect((await operate(listDeadLettersContract, {})).status).toBe(200);
});
