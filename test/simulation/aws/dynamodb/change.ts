import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, isSameItem } from './attribute-values.ts';

/** The effect of a write on one item. The items are the engine's own and must not be mutated. */
export interface Change {
  readonly table: string;
  readonly key: Item;
  /** `undefined` if there was no item. */
  readonly before: Item | undefined;
  /** `undefined` if the item was deleted. */
  readonly after: Item | undefined;
  /** DynamoDB deleted the item because its time to live was over. */
  readonly isExpiry?: true;
}

export type OnChange = (change: Change) => void;

/** Receives all changes of one request, in the order of its legs. A deletion by TTL comes on its own. */
export type OnChanges = (changes: readonly Change[]) => void;

/** True if the write changes the item; otherwise the stream gets no record. */
export function isChange({ before, after }: Pick<Change, 'before' | 'after'>): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return !isSameItem(before, after);
}

/** A record of a table's stream, as a function receives it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventVersion: '1.1';
  readonly eventSource: 'aws:dynamodb';
  readonly userIdentity?: { readonly type: 'Service'; readonly principalId: 'dynamodb.amazonaws.com' };
  readonly dynamodb: {
    /** Seconds since 1970. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly OldImage?: Readonly<Record<string, AttributeValue>>;
    readonly NewImage?: Readonly<Record<string, AttributeValue>>;
    /** The later of two records of an item has the greater number. */
    readonly SequenceNumber: string;
    readonly StreamViewType: 'NEW_AND_OLD_IMAGES';
  };
}

/** Returns the record of a change for a stream of new and old images; `sequence` counts the records of the stream. */
export function streamRecord({ key, before, after, isExpiry }: Change, sequence: number, at: Date): StreamRecord {
  return {
    eventID: sequence.toString(16).padStart(32, '0'),
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    ...(isExpiry && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at.getTime() / 1000),
      Keys: key,
      ...(before !== undefined && { OldImage: before }),
      ...(after !== undefined && { NewImage: after }),
      SequenceNumber: `1${String(sequence).padStart(20, '0')}`,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
}
