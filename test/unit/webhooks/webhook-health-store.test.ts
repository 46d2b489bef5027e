import { describe, expect, test } from 'vitest';
import { ACCEPTED_CALL, REFUSED_CALL, TIMED_OUT_CALL } from '#test/support/call-summaries.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory, openCircuitIn } from '#test/support/health-in-memory.ts';
import { WEBHOOK } from '#test/support/ids.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const NOON = '2026-11-21T12:00:00.000Z';
const webhook = webhookOf();

describe("decisions 7, a client's own endpoints: the health of a webhook", () => {
  test('two calls that end at the same time are both on record, in some order', async () => {
    const health = healthInMemory(fakeClock(NOON));
    await health.recordResult(webhook, 'before', ACCEPTED_CALL);
    await Promise.all(
      [TIMED_OUT_CALL, REFUSED_CALL, TIMED_OUT_CALL].map((called, call) =>
        health.recordResult(webhook, `${call}`, called),
      ),
    );
    expect(health.of(WEBHOOK)).toEqual({ failures: 3 });
    expect(['HANGS', 'ANSWERS']).toContain(await health.responsiveness(WEBHOOK));
    expect(health.writes()).toBe(4);
  });

  test('one that answers all the time is kept for longer than its record, by one write in half of that time', async () => {
    const clock = fakeClock(NOON);
    const health = healthInMemory(clock);
    for (let day = 0; day < 60; day += 1) {
      await health.recordResult(webhook, 'a', ACCEPTED_CALL);
      clock.advance(24 * 3600);
    }
    expect(await health.responsiveness(WEBHOOK)).toBe('ANSWERS');
    expect(health.writes()).toBe(4);
  });

  test('of one that is parked, only an attempt is made that the client asked for by hand', async () => {
    const health = healthInMemory(fakeClock(NOON));
    const until = await openCircuitIn(health, webhook);
    expect(await health.requestAttempt(webhook, 'planned', false)).toEqual({ state: 'CIRCUIT_OPEN', until });
    expect(await health.requestAttempt(webhook, 'by hand', true)).toEqual({ state: 'ALLOWED' });
  });

  test('what a pause missed is forgotten by its own replay only, not by one of an earlier pause', async () => {
    const clock = fakeClock(NOON);
    const health = healthInMemory(clock);
    await openCircuitIn(health, webhook);
    clock.advance(25 * 3600);
    await health.recordResult(webhook, 'after', ACCEPTED_CALL);
    clock.advance(180);
    const { missed } = await health.applyChange(webhook);
    if (missed === undefined) throw new Error('Nothing was missed.');
    await health.forgetPause(webhook, { ...missed, replayAt: NOON });
    expect((await health.applyChange(webhook)).missed).toEqual(missed);
    await health.forgetPause(webhook, missed);
    expect(await health.applyChange(webhook)).not.toHaveProperty('missed');
  });
});
