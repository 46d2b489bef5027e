import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { conflictingItem, incrementUpTo, unlessConditionFails, updateItem } from './conditional-write.ts';

/** Milliseconds for which a function instance caches the pause that it has read. */
const KEPT_FOR = 1000;

/** Seconds of the first and of the longest pause, if the provider names none. */
const FIRST_PAUSE = 2;
const LONGEST_PAUSE = 60;

/** Seconds of the longest pause that a provider may name, so that its mistake cannot stop all calls for a year. */
const LONGEST_NAMED = 3600;

const MINUTE = 60_000;

/** Milliseconds for which an item is kept after its last use. */
const HOUR = 3600_000;

export const storedPause = z.object({ refusals: z.int(), pausedUntil: z.int() });

/** The state of the pause when a call was sent. */
export interface PauseState {
  /** Seconds until calls are allowed again; 0 when they are. */
  readonly pausedFor: number;
  /** Refusals in a row, and the end of the last pause in milliseconds since 1970; 0 without one. */
  readonly refusals: number;
  readonly pausedUntil: number;
}

/**
 * The limits that a provider sets for one of its users. All functions that call as this user share one pause, and the
 * number of calls per minute of each kind.
 *
 * @param user such as `fireblocks#reader`
 */
export function createProviderLimits(
  { dynamo, table, clock }: { readonly dynamo: DynamoDBDocumentClient; readonly table: string; readonly clock: Clock },
  user: string,
) {
  const Key = { limit: `PAUSE#${user}` };
  let kept: { readonly stored: Promise<z.infer<typeof storedPause>>; readonly readAt: number } | undefined;

  const read = async () => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item === undefined ? { refusals: 0, pausedUntil: 0 } : storedPause.parse(Item);
  };

  const stored = () => {
    const readAt = clock.now().getTime();
    if (kept === undefined || Math.abs(readAt - kept.readAt) >= KEPT_FOR) {
      const made = { stored: read(), readAt };
      kept = made;
      made.stored.catch(() => {
        if (kept === made) kept = undefined;
      });
    }
    return kept.stored;
  };

  const secondsTo = (time: number) => Math.max(0, Math.ceil((time - clock.now().getTime()) / 1000));

  /** Pauses until this time, unless the condition fails. Returns the end of the pause that is then in force. */
  const pauseUntil = async (pausedUntil: number, set: string, condition: string, values: Record<string, number>) => {
    const update = new UpdateCommand({
      TableName: table,
      Key,
      UpdateExpression: `SET ${set}pausedUntil = :until, expiresAt = :expiresAt`,
      ConditionExpression: `${condition}(attribute_not_exists(pausedUntil) OR pausedUntil < :until)`,
      ExpressionAttributeValues: {
        ...values,
        ...{ ':until': pausedUntil, ':expiresAt': Math.ceil((pausedUntil + HOUR) / 1000) },
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await updateItem(dynamo, clock, update);
      return pausedUntil;
    } catch (error) {
      return storedPause.safeParse(conflictingItem(error)).data?.pausedUntil ?? 0;
    }
  };

  return {
    /** Called before each call to the provider. No call is sent while `pausedFor` is more than 0. */
    async readPause(): Promise<PauseState> {
      const found = await stored();
      return { ...found, pausedFor: secondsTo(found.pausedUntil) };
    },

    /**
     * Starts a pause for all callers, after the provider refused a call for its rate. Several refusals of one pause
     * state count as one. A pause that the provider does not name doubles with each refusal in a row, up to a minute,
     * minus a random part of up to a quarter. A pause never shortens another one.
     *
     * @param retryAfter the seconds that the provider names, of which at most an hour counts
     * @returns the seconds until calls are allowed again
     */
    async recordRefusal({ refusals }: PauseState, retryAfter?: number): Promise<number> {
      const backoff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** refusals) * (1 - clock.random() / 4);
      const seconds = retryAfter === undefined ? backoff : Math.min(LONGEST_NAMED, retryAfter);
      const until = Math.ceil(clock.now().getTime() + seconds * 1000);
      const ofSameState = '(attribute_not_exists(refusals) OR refusals = :seen) AND ';
      const values = { ':seen': refusals, ':next': refusals + 1 };
      const first = await pauseUntil(until, 'refusals = :next, ', ofSameState, values);
      const isLonger = retryAfter !== undefined && first < until;
      const pausedUntil = isLonger
        ? await pauseUntil(until, 'refusals = if_not_exists(refusals, :one), ', '', { ':one': 1 })
        : first;
      kept = undefined;
      return secondsTo(pausedUntil);
    },

    /** The provider accepted a call: the next pause is a first one again, unless another has started meanwhile. */
    async recordAcceptance({ refusals, pausedUntil }: PauseState): Promise<void> {
      if (refusals === 0) return;
      const remove = new DeleteCommand({
        TableName: table,
        Key,
        ConditionExpression: 'refusals = :refusals AND pausedUntil = :pausedUntil',
        ExpressionAttributeValues: { ':refusals': refusals, ':pausedUntil': pausedUntil },
      });
      await unlessConditionFails(dynamo.send(remove));
      kept = undefined;
    },

    /**
     * Takes one of the `most` calls of this kind that are allowed in the current minute.
     *
     * @returns 0; or, if none is left, the seconds until a random moment of the next minute, so that waiting callers do
     * not all come back at its beginning
     */
    async take(kind: string, most: number): Promise<number> {
      const now = clock.now().getTime();
      const next = (Math.floor(now / MINUTE) + 1) * MINUTE;
      const { isCounted } = await incrementUpTo(dynamo, clock, most, {
        table,
        key: { limit: `${kind}#${user}#${new Date(now).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)}` },
        name: 'taken',
        expiresAt: Math.ceil((next + HOUR) / 1000),
      });
      return isCounted ? 0 : secondsTo(next + clock.random() * MINUTE);
    },
  };
}

export type ProviderLimits = ReturnType<typeof createProviderLimits>;
