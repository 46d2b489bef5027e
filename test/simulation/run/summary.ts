import type { Played } from './played.ts';

type Counts = Readonly<Record<string, number>>;

/** What came of many rounds. */
export interface Summary {
  readonly rounds: number;
  readonly offRamps: Counts;
  readonly payins: Counts;
  readonly deliveries: Counts;
  readonly unseen: number;
  readonly requests: number;
  readonly transitions: number;
  /** Virtual time. */
  readonly hours: number;
  readonly faults: Counts;
  /** Seconds, by the upper ends of `DELAYS`. */
  readonly creditDelays: readonly number[];
  readonly deliveryDelays: readonly number[];
}

/** Upper ends of the classes of delays, in seconds. The last class has what took longer. */
export const DELAYS = [1, 3, 10, 30, 60, 300, 900, 3600, 6 * 3600, 24 * 3600] as const;

const none = DELAYS.map(() => 0).concat(0);

export const NOTHING: Summary = {
  rounds: 0,
  offRamps: {},
  payins: {},
  deliveries: {},
  unseen: 0,
  requests: 0,
  transitions: 0,
  hours: 0,
  faults: {},
  creditDelays: none,
  deliveryDelays: none,
};

export function summaryOf(played: Played): Summary {
  return {
    ...played,
    rounds: 1,
    creditDelays: classesOf(played.creditDelays),
    deliveryDelays: classesOf(played.deliveryDelays),
  };
}

export function added(one: Summary, other: Summary): Summary {
  return {
    rounds: one.rounds + other.rounds,
    offRamps: addedCounts(one.offRamps, other.offRamps),
    payins: addedCounts(one.payins, other.payins),
    deliveries: addedCounts(one.deliveries, other.deliveries),
    unseen: one.unseen + other.unseen,
    requests: one.requests + other.requests,
    transitions: one.transitions + other.transitions,
    hours: one.hours + other.hours,
    faults: addedCounts(one.faults, other.faults),
    creditDelays: one.creditDelays.map((count, index) => count + (other.creditDelays[index] ?? 0)),
    deliveryDelays: one.deliveryDelays.map((count, index) => count + (other.deliveryDelays[index] ?? 0)),
  };
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function addedCounts(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

function classesOf(seconds: readonly number[]): readonly number[] {
  const counts = [...none];
  for (const delay of seconds) {
    const index = DELAYS.findIndex((end) => delay <= end);
    const at = index === -1 ? DELAYS.length : index;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
