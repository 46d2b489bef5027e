import { EventBridgeClient, TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  SendMessageCommand,
  SQSClient,
  SQSServiceException,
} from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { compilePattern } from '#test/simulation/aws/event-pattern.ts';
import { checkMessage } from '#test/simulation/aws/send-message.ts';

const config = awsOf(inject('outputs'));

const text = fc.constantFrom('', 'a', 'ab', 'A');
const field = fc.constantFrom('x', 'y');

/** So few names and values that a tenth of the events fit. */
const { value, pattern } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(true, null, 1),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(field, tie('value'), { maxKeys: 2 }),
  ),
  alternative: fc.oneof(
    text,
    fc.constantFrom(true, null),
    fc.record({ prefix: fc.constantFrom('a', 'ab') }),
    fc.record({ exists: fc.boolean() }),
  ),
  pattern: fc.dictionary(
    field,
    fc.oneof({ maxDepth: 3 }, fc.array(tie('alternative'), { minLength: 1, maxLength: 2 }), tie('pattern')),
    { minKeys: 1, maxKeys: 2 },
  ),
}));

test('whatever an event pattern of the simulation holds, an event fits it where it fits it on the local AWS', async () => {
  const eventBridge = new EventBridgeClient(config);
  const about = { id: 'id', account: '000000000000', source: 'source', time: '2026-08-01T12:00:00Z' };
  const event = { ...about, region: 'us-east-1', resources: [], 'detail-type': 'type' };
  const detail = fc.dictionary(field, value, { maxKeys: 2 });
  await fc.assert(
    fc.asyncProperty(detail, pattern, async (holds, expected) => {
      const command = new TestEventPatternCommand({
        Event: JSON.stringify({ ...event, detail: holds }),
        EventPattern: JSON.stringify({ detail: expected }),
      });
      const { Result } = await eventBridge.send(command);
      expect(compilePattern({ detail: expected })({ ...event, detail: holds })).toBe(Result);
    }),
    { numRuns: 500 },
  );
});

test('a message that the simulation takes or refuses, the local AWS takes or refuses by the same name', async () => {
  const sqs = new SQSClient(config);
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'messages-in-memory' }));
  const refusal = (error: unknown) => {
    if (error instanceof SQSServiceException) return error.name;
    throw error;
  };
  try {
    const unusual = fc.constantFrom('a', '\u0000', '\u0008', '\t', '\r', '\u001f', '\u007f', '\ufffd', '\uffff', '😀');
    const body = fc.oneof(
      fc.array(unusual, { maxLength: 4 }).map((characters) => characters.join('')),
      fc.integer({ min: 1_048_574, max: 1_048_578 }).map((size) => 'x'.repeat(size)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (MessageBody) => {
        const input = { QueueUrl, MessageBody };
        const real = await sqs.send(new SendMessageCommand(input)).then(() => 'taken', refusal);
        expect(inMemory(input)).toBe(real);
      }),
      { numRuns: 100 },
    );
  } finally {
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  }

  function inMemory(input: { QueueUrl: string; MessageBody: string }): string {
    try {
      checkMessage(input);
      return 'taken';
    } catch (error) {
      return refusal(error);
    }
  }
});
