import { GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createLookAtDeadLetters } from '#functions/operators/look-up/list-dead-letters.ts';
import { OPERATION } from '#test/support/ids.ts';

const QUEUES = [
  { name: 'StatusChanges/Told', url: 'https://sqs.example/told', impact: 'A payout is not told.' },
  { name: 'Deliveries/Events', url: 'https://sqs.example/events', impact: 'Webhooks hear nothing.' },
];

/** SQS with these messages, by their times, in each queue; it shows those of `shown`. */
function look(messages: number, shown: readonly { readonly at: string; readonly body: string }[]) {
  const asked: unknown[] = [];
  const sqs: SQSClient = Object.assign(Object.create(SQSClient.prototype), {
    send: async (command: object) => {
      if (command instanceof GetQueueAttributesCommand)
        return { Attributes: { ApproximateNumberOfMessages: String(messages) } };
      if (!(command instanceof ReceiveMessageCommand)) throw new Error('A look changes nothing.');
      asked.push(command.input);
      const sent = (at: string) => ({ SentTimestamp: String(Date.parse(at)) });
      return { Messages: shown.map(({ at, body }) => ({ Body: body, Attributes: sent(at) })) };
    },
  });
  return {
    asked,
    found: createLookAtDeadLetters(
      sqs,
      JSON.stringify(QUEUES.slice(0, 1).map(({ name, url, impact }) => [name, url, impact, true])),
    )(),
  };
}

const early = '2026-08-01T10:00:00.000Z';
const late = '2026-08-01T11:00:00.000Z';

test('decisions 11, lists: of dead letters the oldest that SQS shows says since when, and what it is about', async () => {
  const body = JSON.stringify({ detail: { operationId: OPERATION, note: 'a text' } });
  const { asked, found } = look(2, [
    { at: late, body: '{}' },
    { at: early, body },
  ]);
  const oldest = { since: early, ids: expect.objectContaining({ operationId: OPERATION }) };
  const told = { name: 'StatusChanges/Told', impact: 'A payout is not told.', isMovable: true };
  expect(await found).toEqual([{ ...told, messages: 2, oldest }]);
  expect(JSON.stringify(await found)).not.toContain('a text');
  // The next reader sees the messages at once.
  expect(asked).toEqual([expect.objectContaining({ VisibilityTimeout: 0 })]);
});

test('decisions 11, lists: a dead letter that says nothing of itself has an age all the same', async () => {
  const { found } = look(1, [{ at: early, body: 'no JSON' }]);
  expect(await found).toMatchObject([{ messages: 1, oldest: { since: early, ids: {} } }]);
});

test('decisions 11, lists: an empty queue is not looked into, and one that shows nothing has no age', async () => {
  const empty = look(0, []);
  expect(await empty.found).toMatchObject([{ messages: 0, oldest: undefined }]);
  expect(empty.asked).toEqual([]);
  expect(await look(3, []).found).toMatchObject([{ messages: 3, oldest: undefined }]);
});
