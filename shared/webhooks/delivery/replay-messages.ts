import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createSendMessage } from '#shared/platform/aws/messages.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { REPLAY_DAYS } from '#shared/webhooks/model/delivery.ts';

const replayMessage = z.object({
  clientId: z.string(),
  webhookId: z.string(),
  /** The beginning of the period. */
  since: z.string(),
  /** The end of the period. */
  until: z.string(),
  requestedAt: z.string(),
  /** Only undelivered events: those whose delivery ended without arriving, and those without a delivery. */
  undeliveredOnly: z.optional(z.literal(true)),
  /** Only events without a delivery: those that a webhook missed while it was paused. */
  missedOnly: z.optional(z.literal(true)),
  /** The position, in the client's feed, of the last event that earlier runs have read. */
  after: z.optional(z.string()),
  /** The position from which the next runs read again, because the bus did not have all events of the period. */
  again: z.optional(z.string()),
  /** Number of events of the webhook's process that earlier runs have read. */
  seen: z.optional(z.int()),
});

/** Seconds after which the index has all events of the client from before the request. */
export const INDEX_LAG = 15;

/** The request to send a webhook the events of a period again. Instants are strings that sort by time. */
export type ReplayMessage = z.infer<typeof replayMessage>;

export function parseReplayMessage(body: string): ReplayMessage {
  return replayMessage.parse(JSON.parse(body));
}

/** @param delaySeconds the delay of the message */
export type SendReplayMessage = (message: ReplayMessage, delaySeconds: number) => Promise<void>;

/** Groups messages by client, so that a client with many replays waits behind the others. */
export function createSendReplayMessage(sqs: SQSClient, queueUrl: string): SendReplayMessage {
  const send = createSendMessage(sqs, queueUrl);
  return (message, delaySeconds) => send(message, message.clientId, delaySeconds);
}

/** The oldest instant that a replay can begin at. */
export function earliestReplayStart(now: Date): Date {
  return new Date(now.getTime() - REPLAY_DAYS * 24 * 3600 * 1000);
}

/**
 * Returns the start of a replay as an instant.
 *
 * @param path the path of the field in the request that contains the start
 * @throws {ApiError} VALIDATION_FAILED
 */
export function parseReplayStart(given: string, path: string, now: Date): string {
  const since = new Date(given);
  if (since >= earliestReplayStart(now) && since <= now) return since.toISOString();
  throw invalid({
    path,
    code: 'OUT_OF_RANGE',
    message: `must be at most ${REPLAY_DAYS} days ago and not in the future`,
  });
}
