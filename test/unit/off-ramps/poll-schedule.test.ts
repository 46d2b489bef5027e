import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkSpecs } from '#shared/networks/network.ts';
import {
  nextPollTime,
  OUTAGE_GRACE_SECONDS,
  type PollAnswer,
  type VerificationWindow,
} from '#shared/off-ramps/model/poll-schedule.ts';
import { keysOf } from '#shared/platform/collections.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

const finalities = [2, 5, 6, 15, 65, 125, 180, 240];

/** The simulated results: window, most polls, history events, transitions. */
const simulated = [
  ['60 s', MINUTE, 13, 119, 40],
  ['30 min', 30 * MINUTE, 22, 200, 67],
  ['24 h', DAY, 40, 362, 121],
  ['7 days', 7 * DAY, 88, 794, 265],
  ['364 days', 364 * DAY, 185, 1667, 556],
] as const;

const EVENTS_PER_POLL = 9;
const EVENTS_BESIDES = 2;
const TRANSITIONS_PER_POLL = 3;
const TRANSITIONS_BESIDES = 1;

const START = 1_785_585_600;

interface Course {
  readonly startsAt?: number;
  /** Seconds from the time a poll was due to the time it is made. */
  readonly lateness?: (poll: number) => number;
  readonly answerAt?: (time: number) => PollAnswer;
}

/** The times of all polls of one window; the first one is immediate. */
function polls(length: number, finality: number, course: Course = {}): { times: number[]; window: VerificationWindow } {
  const { startsAt = START, lateness = () => 0, answerAt = () => 'FOUND' } = course;
  const window = { startsAt, endsAt: startsAt + length };
  const times = [startsAt];
  for (let now = startsAt; times.length < 30_000; ) {
    const next = nextPollTime(now, window, finality, answerAt(now));
    if (next === undefined) return { times, window };
    now = next + lateness(times.length);
    times.push(now);
  }
  throw new Error('The polls do not end.');
}

function expectStrictlyIncreasing(times: readonly number[]): void {
  expect(times.slice(1).every((time, index) => time > (times[index] ?? Infinity))).toBe(true);
}

describe.each(simulated)(
  'decisions 4, polling schedule: a window of %s',
  (_, length, mostLooks, mostEvents, mostTransitions) => {
    test('has the worst case of polls, history events and transitions that was simulated', () => {
      const most = Math.max(...finalities.map((finality) => polls(length, finality).times.length));
      expect(most).toBe(mostLooks);
      expect(EVENTS_PER_POLL * most + EVENTS_BESIDES).toBe(mostEvents);
      expect(TRANSITIONS_PER_POLL * most + TRANSITIONS_BESIDES).toBe(mostTransitions);
    });

    test.each(finalities)(
      'has its last poll at its end with a finality of %d s (decisions 4, verification window)',
      (finality) => {
        const { times, window } = polls(length, finality);
        expect(times.at(0)).toBe(window.startsAt);
        expect(times.at(-1)).toBe(window.endsAt);
        expect(times.filter((time) => time >= window.endsAt)).toHaveLength(1);
        expectStrictlyIncreasing(times);
      },
    );
  },
);

test('decisions 4, polling schedule: the pauses follow the formula', () => {
  const window = { startsAt: START, endsAt: START + 7 * DAY };
  const gapAt = (age: number) => (nextPollTime(START + age, window, 180, 'FOUND') ?? 0) - START - age;
  expect(gapAt(0)).toBe(180);
  expect(gapAt(100)).toBe(80);
  expect(gapAt(180)).toBe(45);
  expect(gapAt(1180)).toBe(600);
  expect(gapAt(10_180)).toBe(HOUR);
  expect(gapAt(3 * DAY)).toBe(3 * HOUR);
});

describe('decisions 4, polling schedule: a transaction that stays unknown', () => {
  const answerAt = (): PollAnswer => 'NOT_FOUND';

  test.each(keysOf(networkSpecs))('has at most 18 polls and 55 transitions in 24 hours on %s', (network) => {
    const { times, window } = polls(DAY, networkSpecs[network].finalitySeconds, { answerAt });
    expect(times.length).toBeGreaterThanOrEqual(12);
    expect(times.length).toBeLessThanOrEqual(18);
    expect(TRANSITIONS_PER_POLL * times.length + TRANSITIONS_BESIDES).toBeLessThanOrEqual(55);
    expect(times.at(-1)).toBe(window.endsAt);
    expectStrictlyIncreasing(times);
  });

  test.each([
    ['sixty finalities', 13, 13 * 60],
    ['four hours', 1200, 4 * HOUR],
  ])('is polled when three times as much time has passed, after %s', (_, finality, since) => {
    const window = { startsAt: START, endsAt: START + 7 * DAY };
    const gapAfter = (age: number, answer: PollAnswer) =>
      (nextPollTime(START + age, window, finality, answer) ?? 0) - START - age;
    expect(gapAfter(since, 'NOT_FOUND')).toBe(gapAfter(since, 'FOUND'));
    expect(gapAfter(since + 1, 'NOT_FOUND')).toBe(2 * (since + 1 - finality));
    expect(gapAfter(since + 1, 'NONE')).toBe(gapAfter(since + 1, 'FOUND'));
  });
});

test("decisions 4, polling schedule: a poll up to a second before the network's finality is the poll at its finality", () => {
  const window = { startsAt: START, endsAt: START + DAY };
  expect(nextPollTime(START + 178.5, window, 180, 'FOUND')).toBe(START + 180);
  expect(nextPollTime(START + 179, window, 180, 'FOUND')).toBe(START + 224);
  expect(nextPollTime(START + 179.5, window, 180, 'FOUND')).toBe(START + 225);
});

test('decisions 4, polling schedule: a transaction that is followed as a deposit is polled at twice the finality, then like any other', () => {
  const window = { startsAt: START, endsAt: START + DAY };
  expect(nextPollTime(START, window, 180, 'FOLLOWED')).toBe(START + 360);
  expect(nextPollTime(START + 180, window, 180, 'FOLLOWED')).toBe(START + 360);
  expect(nextPollTime(START + 360, window, 180, 'FOLLOWED')).toBe(nextPollTime(START + 360, window, 180, 'FOUND'));
});

test('decisions 4, polling schedule: the pauses of a short window are a twelfth of it at most', () => {
  const window = { startsAt: START, endsAt: START + 30 * MINUTE };
  expect(nextPollTime(START, window, 240, 'FOUND')).toBe(START + 150);
});

test('decisions 4, polling schedule: a poll that would fall within 5 s of the end is the one at the end', () => {
  const window = { startsAt: START, endsAt: START + MINUTE };
  expect(nextPollTime(START + 50, window, 2, 'FOUND')).toBe(START + 55);
  expect(nextPollTime(START + 50.5, window, 2, 'FOUND')).toBe(START + 60);
  expect(nextPollTime(START + 51, window, 2, 'FOUND')).toBe(START + 60);
  expect(nextPollTime(START + 59, window, 2, 'FOUND')).toBe(START + 60);
});

test('decisions 4, polling schedule: a poll is never past the end and always later than the one before, whatever window, age and finality', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 364 * DAY }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom('FOUND', 'FOLLOWED', 'NOT_FOUND', 'NONE'),
      (length, part, finality, answer) => {
        const window = { startsAt: START, endsAt: START + length };
        const now = Math.min(START + part * length, window.endsAt - 1);
        const next = nextPollTime(now, window, finality, answer) ?? Number.NaN;
        expect(next).toBeGreaterThan(now);
        expect(next).toBeLessThanOrEqual(window.endsAt);
      },
    ),
    { numRuns: 2000 },
  );
});

test('decisions 4, verification window: no poll follows the end once the custodian has answered', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 364 * DAY }),
      fc.double({ min: 0, max: 3 * DAY, noNaN: true }),
      (length, late) => {
        const window = { startsAt: START, endsAt: START + length };
        expect(nextPollTime(window.endsAt + late, window, 65, 'FOUND')).toBeUndefined();
      },
    ),
  );
});

test('decisions 4, verification window: any course of late polls ends with exactly one at the end or after it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 7 * DAY }),
      fc.constantFrom(...finalities),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { minLength: 1 }),
      (length, finality, part, latenesses) => {
        const { times, window } = polls(length, finality, {
          startsAt: START + part,
          lateness: (poll) => latenesses[poll % latenesses.length] ?? 0,
        });
        expectStrictlyIncreasing(times);
        expect(times.filter((time) => time > window.endsAt - 1)).toHaveLength(1);
      },
    ),
  );
});

describe('decisions 4, verification window: an outage over the end of the window', () => {
  test.each(finalities)('repeats the last poll for at most 24 hours, with a finality of %d s', (finality) => {
    const { times, window } = polls(DAY, finality, { answerAt: () => 'NONE' });
    const repeated = times.filter((time) => time > window.endsAt);
    expect(repeated.length).toBeGreaterThanOrEqual(1);
    expect(repeated.length).toBeLessThan(30);
    expect(repeated.at(0)).toBe(window.endsAt + MINUTE);
    expect(repeated.at(-1)).toBe(window.endsAt + OUTAGE_GRACE_SECONDS);
    expectStrictlyIncreasing(times);
  });

  test('has a grace of 24 hours', () => {
    expect(OUTAGE_GRACE_SECONDS).toBe(DAY);
  });

  test('makes the next poll the last one, whenever the outage ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 7 * DAY }), fc.integer({ min: 0, max: 2 * DAY }), (length, outage) => {
        const { times, window } = polls(length, 65, {
          answerAt: (time) => (time >= START + length + outage ? 'FOUND' : 'NONE'),
        });
        const last = times.at(-1) ?? 0;
        expect(last).toBeGreaterThanOrEqual(window.endsAt);
        expect(last).toBeLessThanOrEqual(window.endsAt + OUTAGE_GRACE_SECONDS);
        expect(times.filter((time) => time >= window.endsAt + outage).length).toBeLessThanOrEqual(1);
        expectStrictlyIncreasing(times);
      }),
    );
  });

  test('repeats a last poll that came up to a second early, too', () => {
    const window = { startsAt: START, endsAt: START + HOUR };
    expect(nextPollTime(window.endsAt - 0.4, window, 65, 'FOUND')).toBeUndefined();
    expect(nextPollTime(window.endsAt - 0.4, window, 65, 'NONE')).toBe(window.endsAt + 60);
  });

  test('is waited for until the 24 hours are over', () => {
    const window = { startsAt: START, endsAt: START + HOUR };
    expect(nextPollTime(window.endsAt + DAY - 1, window, 65, 'NONE')).toBe(window.endsAt + DAY);
    expect(nextPollTime(window.endsAt + DAY, window, 65, 'NONE')).toBeUndefined();
  });
});
