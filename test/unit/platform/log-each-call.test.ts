import { expect, test } from 'vitest';
import { CannotHandleYet, handleEachMessage } from '#shared/platform/aws/messages.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { CLIENT, OPERATION } from '#test/support/ids.ts';

const milliseconds = expect.any(Number);

test('a call leaves one log line with the fields of its answer, and its answer is unchanged', async () => {
  const lines = captureLogs();
  const handler = logEachCall(
    'sweep',
    systemClock,
    async (event: unknown) => ({ event, due: 3 }),
    ({ due }) => ({ due }),
  );
  expect(await handler('event')).toEqual({ event: 'event', due: 3 });
  expect(lines).toEqual([{ level: 'info', code: 'CALL_DONE', fields: { call: 'sweep', due: 3, milliseconds } }]);
});

test('a call that throws leaves one line, and throws the same', async () => {
  const lines = captureLogs();
  const failure = new Error('Unauthorized');
  const handler = logEachCall(
    'authorize',
    systemClock,
    () => Promise.reject(failure),
    () => ({}),
  );
  await expect(handler({})).rejects.toBe(failure);
  const fields = { call: 'authorize', cause: 'Error: Unauthorized', milliseconds };
  expect(lines).toEqual([{ level: 'info', code: 'CALL_FAILED', fields }]);
});

const handle = (body: string) => (body.includes('bad') ? Promise.reject(new Error('bad')) : Promise.resolve());

async function linesOf(...bodies: readonly string[]) {
  const lines = captureLogs();
  const eventSourceARN = 'arn:aws:sqs:us-east-1:000000000000:told';
  const Records = bodies.map((body, index) => ({ messageId: `message-${index + 1}`, body, eventSourceARN }));
  await handleEachMessage('consumer', systemClock, handle)({ Records });
  return lines;
}

test('each message leaves one line with its ids and how it ended', async () => {
  const good = JSON.stringify({ deliveryId: 'event-1#webhook-1', clientId: CLIENT, attempt: 2, url: 'https://secret' });
  const lines = await linesOf(good, JSON.stringify({ operationId: OPERATION, bad: true }));
  expect(lines).toEqual([
    {
      level: 'info',
      code: 'MESSAGE_HANDLED',
      fields: {
        consumer: 'consumer',
        messageId: 'message-1',
        deliveryId: 'event-1#webhook-1',
        clientId: CLIENT,
        milliseconds,
      },
    },
    {
      level: 'warn',
      code: 'MESSAGE_FAILED',
      fields: {
        consumer: 'consumer',
        messageId: 'message-2',
        operationId: OPERATION,
        cause: 'Error: bad',
        milliseconds,
      },
    },
  ]);
});

test('decisions 4: a message that cannot be handled yet goes back to its queue, and counts as no failure', async () => {
  const lines = captureLogs();
  const record = { messageId: 'message-1', body: '{}', eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:told' };
  const answer = await handleEachMessage('consumer', systemClock, async () => {
    throw new CannotHandleYet('It awaits its deposit.');
  })({ Records: [record] });
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }] });
  expect(lines).toMatchObject([{ level: 'info', code: 'MESSAGE_POSTPONED' }]);
});

test('the ids of an event of the bus are those of its detail', async () => {
  const [line] = await linesOf(JSON.stringify({ id: 'x', detail: { operationId: OPERATION, reason: 'secret' } }));
  expect(line?.fields).toMatchObject({ operationId: OPERATION });
  expect(JSON.stringify(line)).not.toContain('secret');
});

test.each([
  ['no JSON', 'bad secret'],
  ['no object', '"secret"'],
  ['ids that are none', JSON.stringify({ clientId: 'a secret', userId: { secret: 1 }, eventId: 'secret'.repeat(50) })],
])('a message that is %s leaves a line without any of it', async (_, body) => {
  const lines = await linesOf(body);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('secret');
});
