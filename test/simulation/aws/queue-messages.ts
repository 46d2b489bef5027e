import { type Lineage, NO_LINEAGE } from './lineage.ts';

/** A message, in a queue or in flight. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** Fair queues prefer other groups to one that takes too much. */
  readonly group: string | undefined;
  readonly lineage: Lineage;
  /** Milliseconds since 1970. Dead letters keep it. */
  readonly sentAt: number;
  receives: number;
}

export interface MessageOptions {
  readonly group?: string | undefined;
  readonly lineage?: Lineage;
}

export function newMessage(
  id: string,
  body: string,
  sentAt: number,
  { group, lineage = NO_LINEAGE }: MessageOptions = {},
): Message {
  return { id, body, group, lineage, sentAt, receives: 0 };
}

/** A message, as one receiver has it. */
export interface Received {
  readonly message: Message;
  /** The number of the receive. Only the last receiver of a message can delete it. */
  readonly receipt: number;
}

/** Messages that were received together. */
export interface Batch {
  readonly received: readonly Received[];
  /** The number of messages that are not deleted yet. */
  open: number;
  /** Stops the batch's messages from becoming visible again. */
  readonly close: () => void;
}
