import { QueueDoesNotExist, SendMessageCommand, type SendMessageCommandInput } from '@aws-sdk/client-sqs';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { nameIn } from '#test/simulation/topology/values.ts';
import { Unsupported } from './dynamodb/unsupported.ts';
import type { Answer, Host, Invoke } from './host.ts';
import { currentLineage } from './lineage.ts';
import { type NetworkFaults, overTheNetwork } from './over-the-network.ts';
import { createQueue, type Queue, type QueueFaults } from './queue.ts';
import { type ConsumerFaults, consumeQueue, type QueueWorker } from './queue-consumer.ts';
import { type MessageOptions, newMessage } from './queue-messages.ts';
import { checkMessage, sqsRefusal } from './send-message.ts';

export interface Queues {
  readonly answer: Answer;
  /** Puts another service's message into a queue, by default with the queue's delay. */
  send(queueName: string, body: string, delaySeconds?: number): void;
  /** Bodies of a queue's messages, visible or not. */
  messages(queueName: string): readonly string[];
  /** Bodies of a queue's dead letters. */
  deadLetters(queueName: string): readonly string[];
  /** An operator moves a queue's dead letters back, as new messages. */
  redrive(queueName: string): void;
  /** The number of messages that were kept for too long, in all queues. */
  expired(): number;
  /** Folders of functions that AWS has stopped because they called themselves. */
  stopped(): readonly string[];
}

export type QueuesFaults = QueueFaults & ConsumerFaults & NetworkFaults;

/** All queues, with the functions that consume them. */
export function createQueues(
  host: Host,
  { queues: shapes, queueConsumers }: Pick<Topology, 'queues' | 'queueConsumers'>,
  invoke: Invoke,
  faults: QueuesFaults,
): Queues {
  const { schedule, trace } = host;
  const queues = new Map<string, Queue>();
  const workers: QueueWorker[] = [];
  const shapeOf = new Map(shapes.map((shape) => [shape.name, shape]));
  let sent = 0;

  const deadLettersOf = (name: string) => queues.get(shapeOf.get(name)?.deadLetters?.queue ?? '');
  for (const shape of shapes) {
    queues.set(
      shape.name,
      createQueue(host, shape, () => deadLettersOf(shape.name), faults),
    );
  }
  for (const consumer of queueConsumers) {
    const { visibilitySeconds = 0 } = shapeOf.get(consumer.queue) ?? {};
    workers.push(consumeQueue(host, consumer, visibilitySeconds, named(consumer.queue), invoke, faults));
  }

  function named(name: string): Queue {
    const queue = queues.get(name);
    if (queue === undefined) throw new QueueDoesNotExist({ message: `There is no queue ${name}.`, $metadata: {} });
    return queue;
  }

  function put(queueName: string, body: string, delaySeconds: number | undefined, options?: MessageOptions): string {
    sent += 1;
    const message = newMessage(`message-${sent}`, body, schedule.clock.now().getTime(), options);
    trace(() => `${queueName}: ${message.id} ${body}`);
    named(queueName).put(message, delaySeconds ?? shapeOf.get(queueName)?.delaySeconds ?? 0);
    return message.id;
  }

  function send(input: SendMessageCommandInput): object {
    const { body } = checkMessage(input);
    const { MessageGroupId: group, DelaySeconds } = input;
    const id = put(nameIn(input.QueueUrl ?? ''), body, DelaySeconds, { group, lineage: currentLineage() });
    return { $metadata: {}, MessageId: id };
  }

  return {
    answer: overTheNetwork(host, faults, sqsRefusal, (command) => {
      if (command instanceof SendMessageCommand) return send(command.input);
      throw new Unsupported(command.constructor.name);
    }),
    send: (queueName, body, delaySeconds) => void put(queueName, body, delaySeconds),
    messages: (queueName) =>
      named(queueName)
        .messages()
        .map(({ body }) => body),
    deadLetters: (queueName) =>
      deadLettersOf(queueName)
        ?.messages()
        .map(({ body }) => body) ?? [],
    redrive(queueName) {
      for (const { body, group } of deadLettersOf(queueName)?.drain() ?? []) put(queueName, body, 0, { group });
    },
    stopped: () => workers.filter((worker) => worker.stops() > 0).map(({ folder }) => folder),
    expired: () => [...queues.values()].reduce((sum, queue) => sum + queue.expired(), 0),
  };
}
