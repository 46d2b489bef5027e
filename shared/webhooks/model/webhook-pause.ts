import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/** Milliseconds. */
const DAY = 24 * 3600_000;

/** After a circuit has been open for so long, its webhook gets no new deliveries (decisions.md 10, Paused webhooks). */
const PAUSED_AFTER = DAY;

/** Between two tests of an endpoint whose webhook is paused. */
const PROBED_EVERY = 30 * 60_000;

/** After the end of a pause: by then no function works with an older health. */
const REPLAYED_AFTER = 3 * 60_000;

/** The part of a webhook's health about its pause, and about events missed in an ended pause. */
export const webhookPause = z.object({
  /** Since when the circuit has been open, half open in between; no call has succeeded since then. */
  openSince: z.optional(instant),
  /** The events missed since then are sent at that time; the search covers everything up to it. */
  missed: z.optional(z.object({ since: instant, replayAt: instant })),
  /** When it was last sent a test to see whether it still fails. */
  probedAt: z.optional(instant),
});

export type WebhookPause = Readonly<z.infer<typeof webhookPause>>;

/**
 * Since when a webhook gets no new deliveries; `undefined` if it does. It is derived, not stored, so that every
 * function that creates a delivery gets the same answer.
 */
export function pausedAt({ openSince }: WebhookPause, now: Date): string | undefined {
  if (openSince === undefined) return undefined;
  const at = Date.parse(openSince) + PAUSED_AFTER;
  return at <= now.getTime() ? new Date(at).toISOString() : undefined;
}

/** The rest of a pause that ends now: missed events are to be sent. */
export function afterPause({ missed, openSince }: WebhookPause, now: Date): Pick<WebhookPause, 'missed'> {
  const since = pausedAt({ openSince }, now);
  if (since === undefined) return missed === undefined ? {} : { missed };
  const replayAt = new Date(now.getTime() + REPLAYED_AFTER).toISOString();
  return { missed: { since: missed?.since ?? since, replayAt } };
}

/** When to act: to replay missed events, or to probe the endpoint of a pause. */
export function dueFor({ missed, ...pause }: WebhookPause): string | undefined {
  return missed?.replayAt ?? nextProbeAt(pause);
}

/** When to probe a webhook that is paused by then. Its earlier deliveries are retried as always. */
export function nextProbeAt({ openSince, probedAt }: WebhookPause): string | undefined {
  if (openSince === undefined) return undefined;
  const begins = Date.parse(openSince) + PAUSED_AFTER;
  const again = probedAt === undefined ? begins : Date.parse(probedAt) + PROBED_EVERY;
  return new Date(Math.max(begins, again)).toISOString();
}
