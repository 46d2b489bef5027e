import { ACCOUNT, REGION } from '#test/simulation/topology/values.ts';
import type { Host, Invoke } from './host.ts';
import { inLineage, NO_LINEAGE } from './lineage.ts';

/** Faults of one minute of a function. Probabilities. */
export interface ScheduleFaults {
  /** The function is not called in this minute. */
  readonly missed: number;
  /** The function is called twice in this minute. */
  readonly duplicate: number;
  /** The call is up to a minute late. */
  readonly late: number;
}

export interface Schedules {
  /** Something has changed: an idle function may find something in the next minute. */
  readonly wake: () => void;
}

const MINUTE = 60_000;

/** The longest pause before a throttled call is retried, in milliseconds. */
const LONGEST_PAUSE = 30_000;

/**
 * Rules that call a function once a minute, asynchronously and without retries. Minutes in which the function would
 * find nothing pass without a call and without a timer.
 *
 * @param idleUntil returns when a function would find something as things stand, in milliseconds since 1970; infinity
 * if never
 */
export function createSchedules(
  host: Host,
  folders: readonly string[],
  invoke: Invoke,
  idleUntil: (folder: string) => number,
  faults: ScheduleFaults,
): Schedules {
  const rules = folders.map((folder) => createRule(host, folder, invoke, () => idleUntil(folder), faults));
  return {
    wake() {
      const soon = host.schedule.clock.now().getTime() + MINUTE;
      for (const rule of rules) rule.wakeBy(soon);
    },
  };
}

function createRule(
  { schedule, random, trace }: Host,
  folder: string,
  invoke: Invoke,
  idleUntil: () => number,
  faults: ScheduleFaults,
) {
  const { clock } = schedule;
  const now = () => clock.now().getTime();
  /** The minutes of a rule start at its creation time. */
  const madeAt = now() + random.below(MINUTE);
  let firesAt = Number.POSITIVE_INFINITY;
  let cancel = () => {};

  function fireFrom(instant: number): void {
    const earliest = Math.max(instant, now() + 1);
    firesAt = madeAt + Math.ceil((earliest - madeAt) / MINUTE) * MINUTE;
    cancel();
    if (firesAt === Number.POSITIVE_INFINITY) return;
    // A new process, because the one that wakes it may die before.
    schedule.start(folder, async () => {
      cancel = clock.after(firesAt - now(), fire);
    });
  }

  function fire(): void {
    const dueAt = idleUntil();
    if (dueAt <= now() && !random.chance(faults.missed)) {
      call();
      if (random.chance(faults.duplicate)) call();
    }
    fireFrom(dueAt);
  }

  function call(): void {
    const event = scheduledEvent(clock.now());
    schedule.start(folder, async () => {
      await schedule.turn('REQUEST');
      if (random.chance(faults.late)) await clock.sleep(random.below(MINUTE));
      const givenUpAt = now() + MINUTE;
      for (let pause = 1000; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
        const { state } = await inLineage(NO_LINEAGE, () => invoke(folder, event));
        if (state !== 'THROTTLED') return;
        await clock.sleep(pause * (0.5 + random.next()));
        if (now() >= givenUpAt) return trace(() => `${folder} was not called for a minute`);
      }
    });
  }

  fireFrom(idleUntil());
  return {
    /** Called for every write; usually the rule fires soon anyway. */
    wakeBy(soon: number): void {
      if (firesAt > soon) fireFrom(now());
    },
  };
}

function scheduledEvent(at: Date): object {
  return {
    version: '0',
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: `${at.toISOString().slice(0, 19)}Z`,
    region: REGION,
    resources: [],
    detail: {},
  };
}
