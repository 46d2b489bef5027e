import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/** Milliseconds. */
const DAY = 24 * 3600_000;

/** After a circuit has been open for so long, its webhook gets no new deliveries (decisions.md 10, Paused webhooks). */
const PAUSED_AFTER = DAY;

/** Between two tests of an endpoint whose webhook is paused. */
const PROBED_EVERY = 30 * 60_000;

/** After the end of a pause: by then nobody works with a health any more that was read before it. */
const REPLAYED_AFTER = 3 * 60_000;

/** What of a webhook's health says whether its deliveries are paused, and what it missed in a pause that is over. */
export const webhookPause = z.object({
  /** Since when the circuit has been open, half open in between; no call has succeeded since then. */
  openSince: z.optional(instant),
  /** What happened since then it has not got, and gets at that time, up to which everything is searched. */
  missed: z.optional(z.object({ since: instant, replayAt: instant })),
  /** When it was last sent a test to see whether it still fails. */
  probedAt: z.optional(instant),
});

export type WebhookPause = Readonly<z.infer<typeof webhookPause>>;

/**
 * Since when a webhook gets no new deliveries; `undefined` when it does. Nobody writes it down: whoever makes a delivery of
 * an event, before or after, comes to the same.
 */
export function pausedAt({ openSince }: WebhookPause, now: Date): string | undefined {
  if (openSince === undefined) return undefined;
  const at = Date.parse(openSince) + PAUSED_AFTER;
  return at <= now.getTime() ? new Date(at).toISOString() : undefined;
}

/** What is left of a pause that ends now: what was missed is to be sent. */
export function afterPause({ missed, openSince }: WebhookPause, now: Date): Pick<WebhookPause, 'missed'> {
  const since = pausedAt({ openSince }, now);
  if (since === undefined) return missed === undefined ? {} : { missed };
  const replayAt = new Date(now.getTime() + REPLAYED_AFTER).toISOString();
  return { missed: { since: missed?.since ?? since, replayAt } };
}

/** When something is to be done about it: what was missed is replayed, or an endpoint of a pause is probed. */
export function dueFor({ missed, ...pause }: WebhookPause): string | undefined {
  return missed?.replayAt ?? nextProbeAt(pause);
}

/**
 * When a test is to show whether a webhook still fails that is paused by then. Its own deliveries from before wait, and are
 * tried as ever.
 */
export function nextProbeAt({ openSince, probedAt }: WebhookPause): string | undefined {
  if (openSince === undefined) return undefined;
  const begins = Date.parse(openSince) + PAUSED_AFTER;
  const again = probedAt === undefined ? begins : Date.parse(probedAt) + PROBED_EVERY;
  return new Date(Math.max(begins, again)).toISOString();
}
