import type { QueueShape } from '#test/simulation/topology/topology.ts';
import { noisyGroups } from './fair-queue.ts';
import type { Host } from './host.ts';
import type { Batch, Message, Received } from './queue-messages.ts';

/** Faults of a standard queue. Probabilities. */
export interface QueueFaults {
  /** A message is handed out again while a receiver has it. */
  readonly duplicate: number;
  /** A message is handed out again although it was deleted in time, because one of its copies was not. */
  readonly undeleted: number;
}

export interface Queue {
  readonly name: string;
  put(message: Message, delaySeconds: number): void;
  /** Hands out up to this many messages. Those received too often become dead letters instead. */
  receive(most: number): Batch | undefined;
  delete(batch: Batch, received: Received): void;
  /** Moves a message to the dead letters, if there are any. */
  reject(message: Message): void;
  /** Calls the listener whenever a message becomes visible. */
  onVisible(listener: () => void): void;
  /** The number of visible messages. */
  visible(): number;
  /** All messages: delayed, visible, and in flight. */
  messages(): readonly Message[];
  /** Removes and returns all messages. */
  drain(): readonly Message[];
  /** The number of messages that were kept for too long. */
  expired(): number;
}

/**
 * A standard queue of SQS: delivers each message at least once, in any order, and again if it was not deleted in time.
 * A message that is too old is removed when the queue is read next.
 */
export function createQueue(
  { schedule, random, trace }: Host,
  { name, visibilitySeconds, retentionSeconds, deadLetters: redrive }: QueueShape,
  deadLetters: () => Queue | undefined,
  faults: QueueFaults,
): Queue {
  const { clock } = schedule;
  /** All messages: visible, in flight, and the others, which are delayed. */
  const all = new Set<Message>();
  const visible: Message[] = [];
  const inFlight = new Set<Message>();
  const listeners: (() => void)[] = [];
  let expired = 0;

  function appear(message: Message): void {
    if (!all.has(message)) return;
    inFlight.delete(message);
    visible.push(message);
    for (const listener of listeners) listener();
  }

  function remove(message: Message): void {
    if (!all.delete(message) || inFlight.delete(message)) return;
    const position = visible.indexOf(message);
    if (position !== -1) take(position);
  }

  /** The order does not matter: the last message takes the free place. */
  function take(position: number): Message | undefined {
    const message = visible[position];
    const last = visible.pop();
    if (last !== undefined && position < visible.length) visible[position] = last;
    return message;
  }

  /** Returns any visible message; one of a noisy group only if there is no other. */
  function next(): Message | undefined {
    const start = random.below(visible.length);
    const noisy = noisyGroups(inFlight);
    const place = (index: number) => (start + index) % visible.length;
    const quiet = noisy.size === 0 ? 0 : visible.findIndex((_, index) => !noisy.has(visible[place(index)]?.group));
    return take(place(Math.max(0, quiet)));
  }

  function isExpired({ sentAt }: Message): boolean {
    return clock.now().getTime() - sentAt > retentionSeconds * 1000;
  }

  function expire(message: Message): void {
    all.delete(message);
    expired += 1;
    trace(() => `${name}: ${message.id} is too old`);
  }

  function reject(message: Message): void {
    remove(message);
    trace(() => `${name}: ${message.id} is a dead letter`);
    deadLetters()?.put(message, 0);
  }

  function handOut(message: Message): readonly Received[] {
    if (isExpired(message)) {
      expire(message);
      return [];
    }
    if (redrive !== undefined && message.receives >= redrive.maxReceives) {
      reject(message);
      return [];
    }
    message.receives += 1;
    inFlight.add(message);
    return [{ message, receipt: message.receives }];
  }

  /** Makes a message visible again, unless it was deleted or received again since. */
  function giveBack({ message, receipt }: Received): void {
    if (message.receives === receipt && inFlight.has(message)) appear(message);
  }

  return {
    name,
    reject,
    put(message, delaySeconds) {
      all.add(message);
      if (delaySeconds === 0) return appear(message);
      // A new process, because the sender may die before.
      schedule.start(name, async () => {
        await clock.sleep(delaySeconds * 1000);
        appear(message);
      });
    },
    receive(most) {
      const received: Received[] = [];
      while (received.length < most && visible.length > 0) {
        const message = next();
        if (message !== undefined) received.push(...handOut(message));
      }
      if (received.length === 0) return;
      const close = clock.after(visibilitySeconds * 1000, () => received.forEach(giveBack));
      for (const { message } of received) if (random.chance(faults.duplicate)) appear(message);
      return { received, open: received.length, close };
    },
    delete(batch, { message, receipt }) {
      if (random.chance(faults.undeleted)) return;
      if (message.receives === receipt) remove(message);
      batch.open -= 1;
      if (batch.open === 0) batch.close();
    },
    onVisible: (listener) => void listeners.push(listener),
    visible: () => visible.length,
    messages() {
      for (const message of all) {
        if (!isExpired(message)) continue;
        remove(message);
        expire(message);
      }
      return [...all];
    },
    drain() {
      const drained = this.messages();
      all.clear();
      inFlight.clear();
      visible.length = 0;
      return drained;
    },
    expired: () => expired,
  };
}
