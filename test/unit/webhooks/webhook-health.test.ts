import { describe, expect, test } from 'vitest';
import {
  type CallSummary,
  type Circuit,
  circuitOf,
  freshHealth,
  type HealthFinding,
  healthAfterCall,
  healthAfterClientClose,
  healthWhileProbing,
  lastErrorOf,
  responsivenessOf,
  type WebhookHealth,
} from '#shared/webhooks/model/webhook-health.ts';
import { ACCEPTED_CALL, REFUSED_CALL, TIMED_OUT_CALL } from '#test/support/call-summaries.ts';

const NOON = Date.parse('2026-08-01T12:00:00.000Z');
const at = (seconds: number) => new Date(NOON + seconds * 1000);
const iso = (seconds: number) => at(seconds).toISOString();
const MINUTE = 60;
const HOUR = 3600;
const CONFIGURATION = 7;

/** The health of a webhook that answers. */
const fresh = freshHealth(CONFIGURATION, { timedOut: false });

const circuit = (health: WebhookHealth, seconds: number, configuration = CONFIGURATION): Circuit =>
  circuitOf(health, configuration, at(seconds));

/** The health while the probe `p` runs; the test ends when none was to be made. */
function probe(health: WebhookHealth, seconds: number, token = 'p'): WebhookHealth {
  expect(circuit(health, seconds).state).toBe('HALF_OPEN');
  return healthWhileProbing(health, CONFIGURATION, token, at(seconds));
}

function ended(health: WebhookHealth, call: CallSummary, seconds: number, token = 'a') {
  return healthAfterCall(health, { token, call, now: at(seconds), configuration: CONFIGURATION });
}

const fail = (health: WebhookHealth, seconds: number, token?: string) =>
  ended(health, REFUSED_CALL, seconds, token).health ?? health;
const succeed = (health: WebhookHealth, seconds: number, token?: string) =>
  ended(health, ACCEPTED_CALL, seconds, token).health ?? health;

/** The health after calls that failed at the given seconds after noon. */
const failedAt = (...seconds: readonly number[]) => seconds.reduce((health, second) => fail(health, second), fresh);

const open = failedAt(0, 1, 2, 3, 4);

describe('decisions 7: health is written only when the breaker changes', () => {
  test('not for a success after a success', () => {
    expect(ended(fresh, ACCEPTED_CALL, 1)).toEqual({});
    expect(ended(succeed(failedAt(0), 1), ACCEPTED_CALL, 2)).toEqual({});
  });

  test('with what the latest failure was, and nothing of it after a success', () => {
    const at = { token: 'a', now: new Date(NOON), configuration: CONFIGURATION };
    const answered = healthAfterCall(fresh, { ...at, call: { statusCode: 503, durationMs: 20 } }).health ?? fresh;
    expect(lastErrorOf(answered)).toBe('503');
    const silent = healthAfterCall(answered, { ...at, call: TIMED_OUT_CALL }).health ?? fresh;
    expect(lastErrorOf(silent)).toBe('TIMEOUT');
    expect(lastErrorOf(succeed(silent, 2))).toBeUndefined();
  });

  test('but for each failure that counts, and for the success that ends them', () => {
    expect(ended(fresh, REFUSED_CALL, 1).health).toMatchObject({ failures: 1 });
    expect(ended(failedAt(0, 1), ACCEPTED_CALL, 2)).toEqual({ health: fresh });
  });
});

describe('decisions 7, parked: the breaker', () => {
  test('opens at the fifth failure in a row, for a minute', () => {
    expect(circuit(failedAt(0, 1, 2, 3), 4)).toEqual({ state: 'CLOSED' });
    expect(circuit(open, 5)).toEqual({ state: 'OPEN', until: iso(64) });
  });

  test('does not open when a success comes between', () => {
    const health = [3, 4, 5, 6].reduce((each, second) => fail(each, second), succeed(failedAt(0, 1, 2), 2.5));
    expect(health.failures).toBe(4);
    expect(circuit(health, 7)).toEqual({ state: 'CLOSED' });
  });

  test('is half open when the time is over, and open for all others while the probe runs', () => {
    expect(circuit(open, 63.999).state).toBe('OPEN');
    expect(circuit(open, 64)).toEqual({ state: 'HALF_OPEN', until: iso(64) });
    expect(circuit(probe(open, 64), 64)).toEqual({ state: 'OPEN', until: iso(94) });
  });

  test('lets another probe through when the first died', () => {
    expect(circuit(probe(open, 64), 93.999).state).toBe('OPEN');
    expect(circuit(probe(open, 64), 94)).toEqual({ state: 'HALF_OPEN', until: iso(94) });
  });

  test('closes on success', () => {
    expect(succeed(probe(open, 64), 65, 'p')).toEqual(fresh);
    // The success of a call that was under way closes it, too, as the endpoint answers again.
    expect(succeed(open, 20)).toEqual(fresh);
  });

  test('doubles its time with every probe that fails, up to 30 minutes', () => {
    let [health, now] = [open, 4];
    const minutes: number[] = [];
    for (let probes = 0; probes < 8; probes += 1) {
      const parkedUntil = (Date.parse(health.parkedUntil ?? '') - NOON) / 1000;
      minutes.push((parkedUntil - now) / MINUTE);
      now = parkedUntil;
      health = fail(probe(health, now), now, 'p');
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });
});

describe('decisions 7, parked: a webhook that its client has changed starts afresh', () => {
  const result = { token: 'b', now: at(6), configuration: 8 };

  test('a parked webhook is called', () => {
    expect(circuit(open, 5, 8)).toEqual({ state: 'CLOSED' });
  });

  test('its first failure counts as one, and its first success wipes the old ones', () => {
    const { health } = healthAfterCall(open, { ...result, call: REFUSED_CALL });
    const failed = { failures: 1, failingSince: iso(6), lastFailureAt: iso(6), lastStatusCode: 500 };
    expect(health).toEqual({ ...freshHealth(8, { timedOut: false }), ...failed });
    expect(healthAfterCall(open, { ...result, call: ACCEPTED_CALL })).toEqual({
      health: freshHealth(8, { timedOut: false }),
    });
  });

  test('a call of the webhook as it was says nothing about the new one', () => {
    const changed = healthAfterCall(open, { ...result, call: REFUSED_CALL }).health ?? fresh;
    for (const call of [ACCEPTED_CALL, REFUSED_CALL]) expect(ended(changed, call, 7)).toEqual({});
    expect(circuit(changed, 7)).toEqual({ state: 'CLOSED' });
  });
});

describe('decisions 7, parked: its client ends the parking', () => {
  const end = (health: WebhookHealth, seconds: number) => healthAfterClientClose(health, CONFIGURATION, at(seconds));

  test('of a webhook that is parked, and of no other', () => {
    expect(circuit(end(open, 5) ?? open, 5)).toEqual({ state: 'CLOSED' });
    expect(end(failedAt(0, 1, 2, 3), 4)).toBeUndefined();
    expect(end(open, 64)).toBeUndefined();
    expect(healthAfterClientClose(open, CONFIGURATION + 1, at(5))).toBeUndefined();
  });

  test('the next failure parks it for twice as long; a success forgets the failures', () => {
    const ended = end(open, 5) ?? open;
    expect(circuit(fail(ended, 6), 6)).toEqual({ state: 'OPEN', until: iso(126) });
    expect(succeed(ended, 6)).toEqual(fresh);
  });

  test('also while a probe runs, whose failure then counts like any other', () => {
    const ended = end(probe(open, 64), 65) ?? open;
    expect(circuit(ended, 65)).toEqual({ state: 'CLOSED' });
    expect(circuit(fail(ended, 66, 'p'), 66)).toEqual({ state: 'OPEN', until: iso(66 + 120) });
  });

  test('what it has failed for stays on record: a resend a day keeps no dead endpoint alive', () => {
    const failing = { failingSince: open.failingSince, lastFailureAt: open.lastFailureAt };
    expect(end(open, 5)).toMatchObject(failing);
  });
});

describe('decisions 7, parked: a webhook that fails for days', () => {
  /** The finding of each failure, for failures at these hours. */
  function findings(...hours: readonly number[]): readonly (HealthFinding | undefined)[] {
    let health = fresh;
    return hours.map((hour) => {
      const after = ended(health, REFUSED_CALL, hour * HOUR);
      health = after.health ?? health;
      return after.finding;
    });
  }

  const none = undefined;
  const PAUSED = 'PAUSED';
  const GOOD = 'FAILING_FOR_GOOD';

  test('is found after 120 hours, and once when its circuit has been open for a day', () => {
    const found = findings(0, 1, 2, 3, 4, 27, 28, 29, 119, 120);
    expect(found).toEqual([none, none, none, none, none, none, PAUSED, none, none, GOOD]);
  });

  test('is found by every failure from then on, until somebody acted', () => {
    expect(findings(0, 12, 130, 131).slice(2)).toEqual([GOOD, GOOD]);
  });

  test('is not when the failures before lay within 12 hours: the next one tells', () => {
    expect(findings(0, 130)).toEqual([none, none]);
    expect(findings(0, 1, 11.99, 130)).toEqual([none, none, none, none]);
    expect(findings(0, 1, 130, 131).slice(2)).toEqual([none, GOOD]);
  });

  test('counts from the first failure since the last success', () => {
    const health = fail(succeed(failedAt(0), HOUR), 2 * HOUR);
    expect(health).toMatchObject({ failures: 1, failingSince: iso(2 * HOUR), lastFailureAt: iso(2 * HOUR) });
  });
});

describe("decisions 7, a client's own endpoints: whether the last call timed out", () => {
  const responsivenessAfter = (health: WebhookHealth, call: CallSummary) =>
    responsivenessOf(ended(health, call, 10).health ?? health, at(10));

  test('is not known before the first call', () => {
    expect(responsivenessOf(freshHealth(CONFIGURATION), at(0))).toBe('UNKNOWN');
    // An endpoint that has never answered gets no slot of those that answer.
    expect(responsivenessAfter(freshHealth(CONFIGURATION), { error: 'CONNECT', durationMs: 20 })).toBe('HANGS');
  });

  test('is written with the first call, and then when it changes and at no other success', () => {
    const answered = ended(freshHealth(CONFIGURATION), ACCEPTED_CALL, 0).health ?? fresh;
    expect(answered).toEqual(freshHealth(CONFIGURATION, { timedOut: false }));
    expect(ended(answered, ACCEPTED_CALL, 1)).toEqual({});
    const hung = fail(answered, 2, 'a');
    expect(responsivenessOf(ended(hung, TIMED_OUT_CALL, 3).health ?? hung, at(3))).toBe('HANGS');
  });

  test('is remembered for ten minutes after the endpoint answers again', () => {
    const hung = ended(fresh, TIMED_OUT_CALL, 0).health ?? fresh;
    const again = ended(hung, ACCEPTED_CALL, 1).health ?? hung;
    expect(responsivenessOf(again, at(2))).toBe('ANSWERS_AGAIN');
    expect(responsivenessOf(again, at(10 * MINUTE - 1))).toBe('ANSWERS_AGAIN');
    expect(responsivenessOf(again, at(10 * MINUTE))).toBe('ANSWERS');
    // The end of the ten minutes alone writes nothing.
    expect(ended(again, ACCEPTED_CALL, 10 * MINUTE)).toEqual({});
  });

  test.each([
    ['an answer of any status ends it', REFUSED_CALL, 'ANSWERS'],
    ['a call that is refused at once does not', { error: 'CONNECT', durationMs: 20 }, 'HANGS'],
  ] as const)('%s', (_, call, after) => {
    expect(responsivenessAfter(freshHealth(CONFIGURATION, { timedOut: true }), call)).toBe(after);
  });

  test.each([
    ['TIMEOUT, by a timer that is early', { error: 'TIMEOUT', durationMs: 4999 }, 'HANGS'],
    ['a connection that breaks after a long time', { error: 'CONNECT', durationMs: 5000 }, 'HANGS'],
    ['a connection that is refused', { error: 'CONNECT', durationMs: 20 }, 'ANSWERS'],
    ['a name that is not known', { error: 'DNS', durationMs: 20 }, 'ANSWERS'],
  ] as const)('of one that has answered: %s', (_, call, after) => {
    expect(responsivenessAfter(fresh, call)).toBe(after);
  });

  test('is written while the circuit is open, too, and opens it for no longer', () => {
    expect(ended(open, TIMED_OUT_CALL, 5).health).toEqual({ ...open, timedOut: true, hungAt: iso(5) });
  });

  test('outlasts what the client changes: only a call shows whether a new address answers', () => {
    const call: CallSummary = { error: 'DNS', durationMs: 9 };
    const result = { token: 'b', now: at(6), configuration: 8, call };
    const { health } = healthAfterCall(freshHealth(CONFIGURATION, { timedOut: false }), result);
    expect(health).toMatchObject({ configuration: 8, failures: 1, timedOut: false });
  });
});
