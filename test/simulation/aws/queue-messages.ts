import { type Lineage, NO_LINEAGE } from './lineage.ts';

/** A message of a queue, wherever it is. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** Fair queues prefer the messages of other groups to those of a group that takes too much. */
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

/** A message as one receiver has it. */
export interface Received {
  readonly message: Message;
  /** Number of the receive. Only the last receiver of a message can delete it. */
  readonly receipt: number;
}

/** Messages that were received together. */
export interface Batch {
  readonly received: readonly Received[];
  /** Receivers that have not deleted their message. */
  open: number;
  /** Nothing of it comes back any more. */
  readonly close: () => void;
}
