import type { Message } from './queue-messages.ts';

/** A group that has fewer messages in flight takes nothing from others. */
const LEAST = 30;

/** Of all messages in flight. */
const SHARE = 0.1;

/**
 * Groups that have more than their share of what is in flight, as SQS says of its fair queues. A message without a group
 * is a group of its own. The other measure of SQS, the time that the messages of a group take, is left out: among a few
 * clients each has more than a tenth of it.
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
