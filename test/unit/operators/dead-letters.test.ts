import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { createMoveDeadLetters } from '#functions/operators/redrive-dead-letters/move-dead-letters.ts';
import { redriveDeadLettersContract } from '#shared/operators/dead-letter-commands.ts';
import { createClients } from '#test/simulation/kernel/clients.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';

const url = 'https://sqs.us-east-1.amazonaws.com/111122223333/events';
const setting = JSON.stringify({ 'Deliveries/Events': url });
const arnOf = (name: string) => `arn:aws:sqs:us-east-1:111122223333:${name}`;
const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf('events-dead-letters'), maxReceiveCount: 20 });

const unused = async () => {
  throw new Error('Not asked for.');
};

/** SQS, which answers the start of a task by `answer`, and lists an earlier task if there is a status for it. */
function world(answer: () => object, status?: string) {
  const started: unknown[] = [];
  const { sqs } = createClients({
    ...{ apiGateway: unused, dynamo: unused, eventBridge: unused, kms: unused, stepFunctions: unused },
    sqs: async (command) => {
      if (command instanceof ListMessageMoveTasksCommand) {
        expect(command.input.SourceArn).toBe(arnOf('events-dead-letters'));
        return { Results: status === undefined ? [] : [{ Status: status }] };
      }
      if (command instanceof GetQueueAttributesCommand) {
        expect(command.input.QueueUrl).toBe(url);
        return { Attributes: { QueueArn: arnOf('events'), RedrivePolicy } };
      }
      if (!(command instanceof StartMessageMoveTaskCommand)) return unused();
      started.push(command.input);
      return answer();
    },
  });
  return { started, move: createMoveDeadLetters(sqs, setting) };
}

const refuse = () => {
  throw Object.assign(new Error('Not valid.'), { name: 'InvalidParameterValue' });
};

describe('decisions 11, putting right: dead letters', () => {
  test('are moved back to their queue by SQS', async () => {
    const { move, started } = world(() => ({ TaskHandle: 'handle' }), 'COMPLETED');
    expect(await move('Deliveries/Events')).toBe('STARTED');
    expect(started).toEqual([{ SourceArn: arnOf('events-dead-letters'), DestinationArn: arnOf('events') }]);
  });

  test.each(['RUNNING', 'CANCELLING'])('that are being moved are not moved twice: %s', async (status) => {
    expect(await world(refuse, status).move('Deliveries/Events')).toBe('RUNNING');
  });

  test.each(['COMPLETED', 'FAILED', undefined])('that SQS does not move are an error: %s', async (status) => {
    await expect(world(refuse, status).move('Deliveries/Events')).rejects.toThrow('Not valid.');
  });

  test.each(['Publication/Unhandled', 'Deliveries/Events/DeadLetters', 'constructor'])(
    'that have no queue of work are not moved: %s',
    async (queue) => {
      const { move, started } = world(unused);
      expect(await move(queue)).toBeUndefined();
      expect(started).toEqual([]);
    },
  );

  test('are named as in the list, and in the audit; any other name is 404', async () => {
    const { change, table } = operatorsWorld();
    const queue = 'Deliveries/Events';
    expect(await change(redriveDeadLettersContract, { queue })).toMatchObject({
      status: 200,
      body: { queue, task: 'STARTED' },
    });
    expect(table('audit').items()).toContainEqual(expect.objectContaining({ about: queue }));
    const unknown = await change(redriveDeadLettersContract, { queue: 'Deliveries/None' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
