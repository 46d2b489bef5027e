import { type Network, networkSpecs } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Random } from '#test/simulation/kernel/random.ts';

/** What the custodian reports of a transfer from a time on. */
export interface Phase {
  /** Milliseconds since the transfer was sent. */
  readonly after: number;
  readonly state: CustodianTransfer['state'];
  readonly confirmations: number;
  /** True once the transaction is in a block, when its addresses are filled in. */
  readonly isKnown: boolean;
  /** True if the custodian reports an amount that differs from the one sent. */
  readonly isMisread?: boolean;
}

/** The courses that a transfer can take on the chain and at the custodian. */
export const courses = [
  'AT_ONCE',
  'USUAL',
  'SLOW',
  'HELD',
  'HELD_LATE',
  'FROZEN',
  'FAILED',
  'TAKEN_BACK',
  'TAKEN_BACK_FOR_A_WHILE',
  'MISREAD',
  'NEVER_FINAL',
] as const;

export type Course = (typeof courses)[number] | 'LATE';

/** Milliseconds. */
const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** More confirmations than any custodian asks for. */
const MANY = 64;

/** Writes the phases of a course. Their times are random, their order is fixed. */
export function writePhases(course: Course, network: Network, random: Random): readonly Phase[] {
  const { finalitySeconds } = networkSpecs[network];
  const finality = finalitySeconds * SECOND;
  const seen = random.below(5 * SECOND);
  const final = seen + Math.floor(finality * (0.5 + random.next()));
  const later = final + 1 + random.below(random.pick([60 * SECOND, HOUR, HOUR, 7 * HOUR]));
  const unconfirmed = (after: number, confirmations: number, isKnown = true): Phase => ({
    after,
    state: 'UNCONFIRMED',
    confirmations,
    isKnown,
  });
  const known = (after: number, state: Phase['state'], confirmations = MANY): Phase => ({
    after,
    state,
    confirmations,
    isKnown: true,
  });
  // A transaction in a block may fail there, with as many confirmations as any other.
  const failed = (after: number) => known(after, 'FAILED', random.pick([0, MANY]));
  const written: Readonly<Record<Course, () => readonly Phase[]>> = {
    AT_ONCE: () => [known(0, 'CONFIRMED')],
    USUAL: () => [
      unconfirmed(seen, 0, false),
      unconfirmed(seen + Math.floor((final - seen) / 2), MANY / 2),
      // A custodian may stop counting at one confirmation.
      known(final, 'CONFIRMED', random.pick([1, MANY])),
    ],
    SLOW: () => [unconfirmed(seen, 0), unconfirmed(final, 1), known(later, 'CONFIRMED')],
    HELD: () => [unconfirmed(seen, 0, false), known(final, 'HELD'), known(later, 'CONFIRMED')],
    HELD_LATE: () => [known(final, 'CONFIRMED'), known(later, 'HELD'), known(2 * later, 'CONFIRMED')],
    FROZEN: () => [known(final, 'CONFIRMED'), known(later, 'HELD')],
    FAILED: () => [unconfirmed(seen, 0), failed(final)],
    TAKEN_BACK: () => [known(final, 'CONFIRMED'), failed(later)],
    TAKEN_BACK_FOR_A_WHILE: () => [known(final, 'CONFIRMED'), failed(later), known(2 * later, 'CONFIRMED')],
    MISREAD: () => [{ ...known(final, 'CONFIRMED'), isMisread: true }, known(later, 'CONFIRMED')],
    NEVER_FINAL: () => [unconfirmed(seen, 0, false), unconfirmed(final, 1)],
    LATE: () => [unconfirmed(26 * HOUR, 0), known(26 * HOUR + final, 'CONFIRMED')],
  };
  return written[course]();
}
