import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { createQueues } from './queues.ts';
import { createTestHost, DONE } from './test-host.ts';

const NO_FAULTS = { duplicate: 0, undeleted: 0, standstill: 0, refusal: 0, repeat: 0, loss: 0 };
const QueueUrl = 'https://sqs.in-memory-1.amazonaws.com/000000000000/Work';

/** Sends it; what the sender is told, and what is in the queue then. */
async function sent(command: object, faults: Partial<typeof NO_FAULTS> = {}) {
  const host = createTestHost();
  const shape = { name: 'Work', visibilitySeconds: 30, delaySeconds: 0, retentionSeconds: 3600 };
  const shapes = { queues: [shape], queueConsumers: [] };
  const queues = createQueues(host, shapes, async () => DONE, { ...NO_FAULTS, ...faults });
  let told: unknown;
  host.schedule.start('sender', async () => {
    told = await queues.answer(command).catch((error: unknown) => error);
  });
  await host.schedule.run();
  return { told, messages: queues.messages('Work') };
}

const message = (input: object) => new SendMessageCommand({ QueueUrl, MessageBody: 'body', ...input });

describe('SendMessage', () => {
  test('puts the message into the queue that its address names, and answers with its id', async () => {
    const { told, messages } = await sent(message({ MessageGroupId: 'group', DelaySeconds: 900 }));
    expect(told).toMatchObject({ MessageId: expect.any(String) });
    expect(messages).toEqual(['body']);
  });

  test.each([
    ['is larger than 1 MiB', { MessageBody: 'é'.repeat(524_289) }, 'InvalidParameterValue'],
    ['is empty', { MessageBody: '' }, 'MissingParameter'],
    ['holds a character that XML has not', { MessageBody: 'a\u0000b' }, 'InvalidMessageContents'],
    ['is delayed for longer than a quarter of an hour', { DelaySeconds: 901 }, 'InvalidParameterValue'],
    ['is delayed for a part of a second', { DelaySeconds: 0.5 }, 'InvalidParameterValue'],
    ['has a group with a space', { MessageGroupId: 'a b' }, 'InvalidParameterValue'],
    ['is for a queue that is not there', { QueueUrl: 'https://sqs/0/Other' }, 'QueueDoesNotExist'],
  ])('refuses a message that %s', async (_, input, name) => {
    const { told, messages } = await sent(message(input));
    expect(told).toMatchObject({ name });
    expect(messages).toEqual([]);
  });

  test('takes a message of 1 MiB', async () => {
    expect((await sent(message({ MessageBody: 'é'.repeat(524_288) }))).messages).toHaveLength(1);
  });

  test('puts the message in twice when the answer is lost and the SDK sends it again', async () => {
    expect((await sent(message({}), { repeat: 1 })).messages).toEqual(['body', 'body']);
  });

  test('has put the message in, although the sender never hears of it', async () => {
    const { told, messages } = await sent(message({}), { loss: 1 });
    expect(told).toMatchObject({ name: 'TimeoutError' });
    expect(messages).toEqual(['body']);
  });

  test('puts nothing in when SQS refuses the call', async () => {
    const { told, messages } = await sent(message({}), { refusal: 1 });
    expect(told).toMatchObject({ name: 'ThrottlingException' });
    expect(messages).toEqual([]);
  });
});

test('what SQS in memory cannot do ends the round', async () => {
  await expect(sent(new SendMessageBatchCommand({ QueueUrl, Entries: [] }))).rejects.toThrow('SendMessageBatchCommand');
  await expect(sent(message({ MessageDeduplicationId: '1' }))).rejects.toThrow('MessageDeduplicationId');
});
