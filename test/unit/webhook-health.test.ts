import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit, type Finding, healthOf, settle, type WebhookHealth } from '#shared/domain/webhook-health.ts';

const NOON = Date.parse('2026-08-01T12:00:00.000Z');
const at = (seconds: number) => new Date(NOON + seconds * 1000);
const iso = (seconds: number) => at(seconds).toISOString();
const MINUTE = 60;
const HOUR = 3600;

const fresh = healthOf(7);

function asked(health: WebhookHealth, token: string, seconds: number, differences: { configuration?: number } = {}) {
  return admit(health, { token, now: at(seconds), share: 3, configuration: 7, ...differences });
}

/** The health after a slot was given; the test ends when there was none. */
function admitted(health: WebhookHealth, token: string, seconds: number, configuration = 7): WebhookHealth {
  const admission = asked(health, token, seconds, { configuration });
  if (admission.state !== 'ADMITTED') throw new Error(`not admitted but ${admission.state}`);
  return admission.health;
}

/** The health after calls that failed at the given seconds after noon. */
function failedAt(...seconds: readonly number[]): WebhookHealth {
  return seconds.reduce((health, second) => fail(health, second).health, fresh);
}

const fail = (health: WebhookHealth, seconds: number, token = 'a') =>
  settle(health, { token, succeeded: false, now: at(seconds) });
const succeed = (health: WebhookHealth, seconds: number, token = 'a') =>
  settle(health, { token, succeeded: true, now: at(seconds) }).health;

describe('decisions 7, isolation: a webhook never holds more than its share of the slots', () => {
  test('its share is given, then it is busy, whatever its endpoint does', () => {
    const full = ['a', 'b', 'c'].reduce((health, token) => admitted(health, token, 0), fresh);
    expect(full.leases.map(({ token }) => token)).toEqual(['a', 'b', 'c']);
    expect(asked(full, 'd', 1)).toEqual({ state: 'BUSY' });
  });

  test('a slot that is given back is free', () => {
    const full = ['a', 'b', 'c'].reduce((health, token) => admitted(health, token, 0), fresh);
    expect(asked(fail(full, 1, 'b').health, 'd', 1).state).toBe('ADMITTED');
    expect(asked(succeed(full, 1, 'b'), 'd', 1).state).toBe('ADMITTED');
    expect(admitted(succeed(full, 1, 'b'), 'd', 1).leases.map(({ token }) => token)).toEqual(['a', 'c', 'd']);
  });

  test('a slot whose holder died is free after 60 s', () => {
    const full = ['a', 'b', 'c'].reduce((health, token) => admitted(health, token, 0), fresh);
    expect(asked(full, 'd', 59.999)).toEqual({ state: 'BUSY' });
    expect(admitted(full, 'd', 60).leases).toEqual([{ token: 'd', until: iso(120) }]);
  });

  test('asking twice with one token takes one slot', () => {
    const twice = admitted(admitted(fresh, 'a', 0), 'a', 1);
    expect(twice.leases).toEqual([{ token: 'a', until: iso(61) }]);
  });

  const deeds = {
    ask: (health: WebhookHealth, seconds: number, token: string) => {
      const admission = asked(health, token, seconds);
      return admission.state === 'ADMITTED' ? admission.health : health;
    },
    fail: (health: WebhookHealth, seconds: number, token: string) => fail(health, seconds, token).health,
    succeed,
  };

  test('whatever happens, it never holds more', () => {
    const step = fc.record({
      token: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      deed: fc.constantFrom(deeds.ask, deeds.ask, deeds.fail, deeds.succeed),
      pause: fc.nat(40),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let [health, now] = [fresh, 0];
        for (const { token, deed, pause } of steps) {
          now += pause;
          health = deed(health, now, token);
          expect(health.leases.length).toBeLessThanOrEqual(3);
        }
      }),
    );
  });
});

describe('case 36: the breaker', () => {
  test('opens at the fifth failure in a row, for a minute', () => {
    expect(asked(failedAt(0, 1, 2, 3), 'b', 4).state).toBe('ADMITTED');
    expect(asked(failedAt(0, 1, 2, 3, 4), 'b', 5)).toEqual({ state: 'PARKED', until: iso(64) });
  });

  test('does not open when a success comes between', () => {
    const health = [3, 4, 5, 6].reduce((each, second) => fail(each, second).health, succeed(failedAt(0, 1, 2), 2.5));
    expect(health.failures).toBe(4);
    expect(asked(health, 'b', 7).state).toBe('ADMITTED');
  });

  test('lets one probe through when the time is over, however many ask', () => {
    const open = failedAt(0, 1, 2, 3, 4);
    expect(asked(open, 'b', 63.999).state).toBe('PARKED');
    const probing = admitted(open, 'b', 64);
    expect(asked(probing, 'c', 64)).toEqual({ state: 'BUSY' });
    expect(asked(probing, 'd', 65)).toEqual({ state: 'BUSY' });
  });

  test('lets another probe through when the first died', () => {
    const probing = admitted(failedAt(0, 1, 2, 3, 4), 'b', 64);
    expect(asked(probing, 'c', 124).state).toBe('ADMITTED');
  });

  test('closes on success: the whole share is free again', () => {
    const closed = succeed(admitted(failedAt(0, 1, 2, 3, 4), 'b', 64), 65, 'b');
    expect(closed).toEqual(fresh);
    expect(['c', 'd', 'e'].reduce((health, token) => admitted(health, token, 66), closed).leases).toHaveLength(3);
  });

  test('doubles its time with every probe that fails, up to 30 minutes', () => {
    let [health, now] = [failedAt(0, 1, 2, 3, 4), 4];
    const minutes: number[] = [];
    for (let probe = 0; probe < 8; probe += 1) {
      const parkedUntil = (Date.parse(health.parkedUntil ?? '') - NOON) / 1000;
      minutes.push((parkedUntil - now) / MINUTE);
      now = parkedUntil;
      health = fail(admitted(health, 'b', now), now, 'b').health;
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test('does not double for failures of calls that ran when it opened', () => {
    const open = failedAt(0, 1, 2, 3, 4);
    const later = [5, 6, 7].reduce((health, second) => fail(health, second).health, open);
    expect(later).toMatchObject({ failures: 8, parkedUntil: iso(64), parkMinutes: 1 });
    expect(fail(admitted(later, 'b', 64), 65, 'b').health).toMatchObject({ parkedUntil: iso(65 + 120) });
  });

  test('begins at one minute again after a success', () => {
    const recovered = succeed(fail(admitted(failedAt(0, 1, 2, 3, 4), 'b', 64), 65, 'b').health, 200);
    const open = [300, 301, 302, 303, 304].reduce((health, second) => fail(health, second).health, recovered);
    expect(open).toMatchObject({ parkedUntil: iso(364), parkMinutes: 1 });
  });
});

describe('decisions 7, isolation: what its client changed is judged afresh', () => {
  test('a parked webhook is admitted, and its calls that still run keep their slots', () => {
    const open = failedAt(0, 1, 2, 3, 4);
    const running = { ...open, leases: admitted(admitted(fresh, 'x', 0), 'y', 0).leases };
    const changed = admitted(running, 'b', 5, 8);
    expect(changed).toMatchObject({ configuration: 8, failures: 0 });
    expect(changed).not.toHaveProperty('parkedUntil');
    expect(changed.leases.map(({ token }) => token)).toEqual(['x', 'y', 'b']);
    expect(asked(changed, 'c', 6, { configuration: 8 })).toEqual({ state: 'BUSY' });
  });

  test('a call that read it before the change brings nothing back', () => {
    const changed = fail(admitted(failedAt(0, 1), 'b', 5, 8), 6, 'b').health;
    expect(admitted(changed, 'c', 7, 7)).toMatchObject({ configuration: 8, failures: 1 });
  });

  test('the result of a call of the webhook as it was only gives the slot back', () => {
    const changed = fail(admitted(fresh, 'b', 5, 8), 6, 'z').health;
    for (const succeeded of [true, false]) {
      const settled = settle(changed, { token: 'b', succeeded, now: at(7), configuration: 7 });
      expect(settled).toEqual({ health: { ...changed, leases: [] } });
    }
  });
});

describe('case 37: a webhook that fails for days', () => {
  /** What each failure brings to light, by the hour of each. */
  function findings(...hours: readonly number[]): readonly (Finding | undefined)[] {
    let health = fresh;
    return hours.map((hour) => {
      const settled = fail(health, hour * HOUR);
      health = settled.health;
      return settled.finding;
    });
  }

  const DAY = 'FAILING_FOR_A_DAY';
  const GOOD = 'FAILING_FOR_GOOD';

  test('is found after 120 hours, and once after a day', () => {
    const none = undefined;
    expect(findings(0, 1, 12, 23.99, 24, 25, 72, 119.99, 120)).toEqual([
      none,
      none,
      none,
      none,
      DAY,
      none,
      none,
      none,
      GOOD,
    ]);
  });

  test('is found by every failure from then on, until somebody acted', () => {
    expect(findings(0, 12, 130, 131).slice(2)).toEqual([GOOD, GOOD]);
  });

  test('is not when the failures before lay within 12 hours: then it is a day, and the next one tells', () => {
    expect(findings(0, 130)).toEqual([undefined, DAY]);
    expect(findings(0, 1, 11.99, 130)).toEqual([undefined, undefined, undefined, DAY]);
    expect(findings(0, 1, 130, 131).slice(2)).toEqual([DAY, GOOD]);
  });

  test('is not when all its failures lie within an hour', () => {
    const hours = Array.from({ length: 500 }, (_, index) => index / 500);
    expect(new Set(findings(...hours))).toEqual(new Set([undefined]));
  });

  test('is not with a success now and then', () => {
    let health = fresh;
    for (let hour = 0; hour < 1000; hour += 1) {
      const settled = fail(health, hour * HOUR);
      expect(settled.finding).not.toBe(GOOD);
      health = hour % 100 === 99 ? succeed(settled.health, hour * HOUR) : settled.health;
    }
  });

  test('counts from the first failure since the last success', () => {
    const health = fail(succeed(failedAt(0), HOUR), 2 * HOUR).health;
    expect(health).toMatchObject({ failures: 1, failingSince: iso(2 * HOUR), lastFailureAt: iso(2 * HOUR) });
  });
});
