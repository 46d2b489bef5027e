import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';
import type { DeliveryAttempt } from './delivery.ts';

/**
 * The part of a webhook's health that says whether its calls are answered. A change by the client does not reset it:
 * only a call shows whether the endpoint answers now.
 */
export const webhookHanging = z.object({
  /** Whether the last call timed out, or none was ever answered; absent before the first. */
  timedOut: z.optional(z.boolean()),
  /** When a call last hung. */
  hungAt: z.optional(instant),
});

export type Hanging = Readonly<z.infer<typeof webhookHanging>>;

/**
 * It decides which slots a webhook may take (decisions.md 7, A client's own endpoints). An endpoint that has answered
 * since it hung may hang again.
 */
export type Answering = 'UNKNOWN' | 'ANSWERS' | 'ANSWERS_AGAIN' | 'HANGS';

/** Milliseconds. A call that got no answer for longer than a connection may take has hung, however it ended. */
const HANGING = 5000;

/** Milliseconds for which an endpoint has to answer after a call that hung, to count as one that answers. */
const STEADY_AFTER = 10 * 60_000;

export function answeringOf({ timedOut, hungAt }: Hanging, now: Date): Answering {
  if (timedOut === undefined) return 'UNKNOWN';
  if (timedOut) return 'HANGS';
  return hungAt !== undefined && now.getTime() - Date.parse(hungAt) < STEADY_AFTER ? 'ANSWERS_AGAIN' : 'ANSWERS';
}

/** What a call shows of its webhook. */
export type Called = Pick<DeliveryAttempt, 'statusCode' | 'error' | 'durationMs'>;

/** A call that failed at once, as during a restart of the endpoint, does not show that it hangs. */
export function hangingAfter(
  { statusCode, error, durationMs }: Called,
  { timedOut, hungAt }: Hanging,
  now: Date,
): Hanging {
  if (statusCode !== undefined) return { timedOut: false, hungAt };
  if (error === 'TIMEOUT' || durationMs >= HANGING) return { timedOut: true, hungAt: now.toISOString() };
  return { timedOut: timedOut ?? true, hungAt };
}
