import type { QueueShape } from '#test/simulation/topology/topology.ts';
import { noisyGroups } from './fair-queue.ts';
import type { Host } from './host.ts';
import type { Batch, Message, Received } from './queue-messages.ts';

/** What a standard queue does now and then. Probabilities. */
export interface QueueFaults {
  /** A message is handed out once more while somebody has it. */
  readonly duplicate: number;
  /** A message is handed out again although it was deleted in time: one of its copies was not. */
  readonly undeleted: number;
}

export interface Queue {
  readonly name: string;
  put(message: Message, delaySeconds: number): void;
  /** Hands out up to so many messages. Those that were received too often become dead letters instead. */
  receive(most: number): Batch | undefined;
  delete(batch: Batch, received: Received): void;
  /** Takes a message out of the queue and puts it with the dead letters, where there are any. */
  reject(message: Message): void;
  /** Calls it whenever a message can be received. */
  onVisible(listener: () => void): void;
  /** How many can be received. */
  visible(): number;
  /** Everything that is in it: delayed, visible, or with a receiver. */
  messages(): readonly Message[];
  /** Takes everything out. */
  drain(): readonly Message[];
  /** How many were kept for too long. */
  expired(): number;
}

/**
 * A standard queue of SQS: each message at least once, in no order, again when it was not deleted in time. Nothing
 * happens when a message becomes too old: whoever reads the queue next does not find it.
 */
export function createQueue(
  { schedule, random, trace }: Host,
  { name, visibilitySeconds, retentionSeconds, deadLetters: redrive }: QueueShape,
  deadLetters: () => Queue | undefined,
  faults: QueueFaults,
): Queue {
  const { clock } = schedule;
  /** Of these, those that can be received and those that somebody has; the others are delayed. */
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

  /** In no order: the last takes its place. */
  function take(position: number): Message | undefined {
    const message = visible[position];
    const last = visible.pop();
    if (last !== undefined && position < visible.length) visible[position] = last;
    return message;
  }

  /** Any of those that can be received; one of a group that takes too much only where there is no other. */
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

  /** Back in the queue, unless it was deleted, or somebody else has received it since. */
  function giveBack({ message, receipt }: Received): void {
    if (message.receives === receipt && inFlight.has(message)) appear(message);
  }

  return {
    name,
    reject,
    put(message, delaySeconds) {
      all.add(message);
      if (delaySeconds === 0) return appear(message);
      // Whoever sends it may die before.
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
