import { type Network, networkSpecs } from '#shared/networks/network.ts';
import type { SendingPhase } from '#test/simulation/books/truth.ts';
import type { Random } from '#test/simulation/kernel/random.ts';

interface Phase extends Omit<SendingPhase, 'at' | 'txHash'> {
  /** Milliseconds since the custodian took the order. */
  readonly after: number;
  readonly hasHash: boolean;
}

/** Milliseconds. */
const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Courses of an order that the custodian sends. An order sent by a person has already left. */
const courses = ['UNSIGNED', 'FAILED', 'REPLACED', 'DROPPED', 'BOOSTED', 'UNDONE'] as const;

/**
 * Writes the phases of an order. Unusual ones wait for a signature; fail, without a hash or because another transaction
 * has used their nonce; are given up and may still arrive or be replaced; or are undone by a reorganisation when final.
 */
export function phasesOfSending(
  network: Network,
  isUnusual: boolean,
  random: Random,
  { hasId }: { readonly hasId: boolean },
): readonly Phase[] {
  const seen = random.below(5 * SECOND);
  const final = seen + 1 + Math.floor(networkSpecs[network].finalitySeconds * SECOND * (0.5 + random.next()));
  const later = final + 1 + random.below(random.pick([60 * SECOND, HOUR, 3 * HOUR]));
  const last = later + 1 + random.below(HOUR);
  const waits = (after: number, hasHash = false): Phase => ({ after, state: 'PENDING', hasHash });
  const completed = (after: number): Phase => ({ after, state: 'COMPLETED', hasHash: true });
  const failed = (after: number, hasHash: boolean, mayStillArrive = false): Phase => ({
    after,
    state: 'FAILED',
    hasHash,
    ...(mayStillArrive && { mayStillArrive }),
  });
  const end = () => random.pick([completed(last), failed(last, true)]);
  const usual = [waits(0), waits(seen, true), completed(final)];
  const written: Readonly<Record<(typeof courses)[number], () => readonly Phase[]>> = {
    UNSIGNED: () => [waits(0), waits(later, true), completed(last)],
    FAILED: () => [waits(0), failed(seen, false)],
    REPLACED: () => [waits(0), waits(seen, true), failed(final, true)],
    DROPPED: () => [waits(0), waits(seen, true), failed(final, true, true), end()],
    BOOSTED: () => [waits(0), waits(seen, true), failed(final, true, true)],
    UNDONE: () => [...usual, random.pick([waits(later, true), failed(later, true, true)]), end()],
  };
  if (!isUnusual) return usual;
  return written[hasId ? random.pick(courses) : 'UNDONE']();
}
