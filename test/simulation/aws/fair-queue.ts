import type { Message } from './queue-messages.ts';

/** Messages in flight below which a group is never noisy. */
const LEAST = 30;

/** The share of all messages in flight above which a group is noisy. */
const SHARE = 0.1;

/**
 * Returns the groups with more than their share of the messages in flight, as SQS documents its fair queues. A message
 * without a group is a group of its own. SQS also measures the processing time of a group; this is left out: among a
 * few clients each has more than a tenth of it.
 */
export function noisyGroups(inFlight: ReadonlySet<Message>): ReadonlySet<string | undefined> {
  const noisy = new Set<string>();
  if (inFlight.size < LEAST) return noisy;
  const counts = new Map<string, number>();
  for (const { group } of inFlight) {
    if (group === undefined) continue;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    if (count >= LEAST && count > inFlight.size * SHARE) noisy.add(group);
  }
  return noisy;
}
