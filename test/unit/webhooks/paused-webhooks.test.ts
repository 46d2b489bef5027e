import { describe, expect, test } from 'vitest';
import { createConcludeCall, createDeactivateWebhook } from '#functions/webhooks/deliver-webhook/conclude-attempt.ts';
import { probeWebhook } from '#functions/webhooks/deliver-webhook/deliver-webhook.ts';
import { tendWebhooks } from '#functions/webhooks/release-due-deliveries/tend-webhooks.ts';
import { replayClientEvents } from '#functions/webhooks/replay-client-events/replay-client-events.ts';
import { rotateWebhookSecret } from '#functions/webhooks/rotate-webhook-secret/rotate-webhook-secret.ts';
import { testWebhook } from '#functions/webhooks/test-webhook/test-webhook.ts';
import { updateWebhook } from '#functions/webhooks/update-webhook/update-webhook.ts';
import { testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import {
  describeWebhook,
  rotateWebhookSecretContract,
  updateWebhookContract,
} from '#shared/webhooks/contract/webhook-contract.ts';
import type { ProbeMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { ReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import { REFUSED_CALL } from '#test/support/call-summaries.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { deliveryWorld } from '#test/support/delivery-world.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A webhook whose endpoint fails from the start, until `answer` is another one; an event of it happens each hour. */
function world() {
  const lines = captureLogs();
  const endpoint = { statusCode: 500 };
  const delivering = deliveryWorld({ answer: () => endpoint }, webhookOf());
  const { clock, deliveries, events, health, webhooks, steps, sent, fanOut } = delivering;
  const start = clock.now().getTime();
  const elapsed = () => (clock.now().getTime() - start) / 1000;
  const probes: ProbeMessage[] = [];
  const replays: ReplayMessage[] = [];
  let ids = 0;
  const newId = () => `id-${ids++}`;
  /** Steps of the sweep, which a test can break. */
  const parts = {
    dueBefore: health.dueBefore,
    applyChange: health.applyChange,
    forgetPause: health.forgetPause,
    sendReplay: async (message: ReplayMessage) => void replays.push(message),
  };
  const tend = tendWebhooks({
    health: {
      dueBefore: (...given) => parts.dueBefore(...given),
      applyChange: (...given) => parts.applyChange(...given),
      forgetPause: (...given) => parts.forgetPause(...given),
    },
    webhooks,
    sendProbe: async (message) => void probes.push(message),
    sendReplay: (message) => parts.sendReplay(message),
    clock,
  });
  const probe = (message: ProbeMessage) =>
    probeWebhook({
      slots: steps,
      webhooks,
      health,
      sendEvent: steps.sendEvent,
      concludeCall: createConcludeCall({
        health: steps,
        deactivate: createDeactivateWebhook({ webhooks, changeWebhook: webhooks.change, clock }),
      }),
      clock,
      newId,
    })(message);
  const replay = replayClientEvents({
    events,
    webhooks,
    queue: deliveries,
    slots: delivering.slots,
    sendDeliveryMessage: steps.sendRetry,
    sendReplayMessage: async () => undefined,
    clock,
    newId,
  });
  const happen = async (occurredAt = clock.now().toISOString()) => {
    const event = eventOf(eventNo(ids++), { occurredAt });
    events.putPublished(event);
    await fanOut(event);
    return event.eventId;
  };
  const delivery = (eventId: string) => deliveries.kept(deliveryIdOf(eventId, WEBHOOK))?.delivery;
  /** Runs the sweep and the queues for this many seconds. */
  const pass = async (seconds: number, step = MINUTE) => {
    for (const end = elapsed() + seconds; elapsed() < end; ) {
      await delivering.runUntil(elapsed() + step);
      await tend();
      for (const message of probes.splice(0)) await probe(message);
      for (const message of replays.splice(0)) await replay(message);
    }
  };
  const answer = async () => {
    const webhook = await webhooks.find(CLIENT, WEBHOOK);
    if (webhook === undefined) throw new Error('The webhook is gone.');
    return describeWebhook(webhook, await health.circuit(webhook));
  };
  /** Has the endpoint fail for a day, with an event that waits, until the webhook is paused. */
  const paused = async () => {
    const before = [await happen()];
    await pass(MINUTE);
    for (const token of ['3', '4', '5']) await health.recordResult(webhookOf(), token, REFUSED_CALL);
    const opened = clock.now().getTime();
    clock.set(new Date(opened + 24 * HOUR * 1000).toISOString());
    await pass(10 * MINUTE);
    return { before, pausedAt: new Date(opened + 24 * HOUR * 1000).toISOString() };
  };
  /** Runs until the pause has ended, as a call of the endpoint has succeeded. */
  const untilEnded = async () => {
    for (let minute = 0; minute < 60; minute += 1) {
      if ((await answer()).deliveriesPausedAt === undefined) return;
      await pass(MINUTE);
    }
    throw new Error('The pause does not end.');
  };
  const tests = () => sent.filter(({ body }) => JSON.parse(body).type === 'webhook.test');
  const calls = (eventId: string) => sent.filter((call) => call.eventId === eventId).length;
  return {
    ...{ ...delivering, lines, endpoint, parts, probes, replays, tend, probe, replay, newId, elapsed },
    ...{ happen, delivery, pass, answer, paused, untilEnded, tests, calls },
  };
}

describe('decisions 10: a webhook whose circuit has been open for 24 hours', () => {
  test('gets no new deliveries from then on, says so, and operators are told once', async () => {
    const { happen, delivery, paused, pass, answer, lines } = world();
    const { before, pausedAt } = await paused();
    expect(before.map((eventId) => delivery(eventId)?.status)).toEqual(['PENDING']);
    const missed = await happen();
    await pass(2 * HOUR);
    expect(delivery(missed)).toBeUndefined();
    expect((await answer()).deliveriesPausedAt).toBe(pausedAt);
    expect(lines.filter(({ code }) => code === 'WEBHOOK_PAUSED')).toMatchObject([
      { level: 'warn', fields: { clientId: CLIENT, webhookId: WEBHOOK } },
    ]);
  });

  test('gets earlier events, however late they reach the fan-out', async () => {
    const { happen, delivery, paused } = world();
    const { pausedAt } = await paused();
    const justBefore = new Date(Date.parse(pausedAt) - 1).toISOString();
    expect(delivery(await happen(justBefore))?.status).toBe('PENDING');
    expect(delivery(await happen(pausedAt))).toBeUndefined();
  });

  test('is sent one `webhook.test` every 30 minutes, which is stored nowhere; what waits from before is tried on', async () => {
    const { paused, pass, sent, tests, deliveries, elapsed } = world();
    await paused();
    const [from, stored] = [elapsed(), deliveries.all().length];
    await pass(4 * HOUR, 5 * MINUTE);
    const times = tests().map(({ at }) => at);
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses.length).toBeGreaterThanOrEqual(6);
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(30 * MINUTE);
      expect(pause).toBeLessThanOrEqual(40 * MINUTE);
    }
    expect(sent.filter(({ at }) => at > from).length).toBeGreaterThan(times.filter((at) => at > from).length);
    expect(deliveries.all().length).toBe(stored);
  });

  test('is deactivated after 120 hours as before, by its probes alone; what it missed before comes by a replay from then', async () => {
    const { happen, delivery, pass, paused, replay, webhooks, clock, lines } = world();
    await paused();
    const missed = await happen();
    await pass(93 * HOUR, 30 * MINUTE);
    expect(await webhooks.find(CLIENT, WEBHOOK)).toMatchObject({ status: true });
    await pass(4 * HOUR, 30 * MINUTE);
    const webhook = await webhooks.find(CLIENT, WEBHOOK);
    expect(webhook).toMatchObject({ status: false, statusReason: 'ENDPOINT_FAILING' });
    expect(lines.filter(({ code }) => code === 'WEBHOOK_DEACTIVATED')).toMatchObject([{ level: 'error' }]);
    const now = clock.now().toISOString();
    await webhooks.change(webhook ?? webhookOf(), { status: true, activeSince: now });
    const found = [];
    for (const days of [0, 6]) {
      const since = new Date(Date.parse(webhook?.deactivatedAt ?? '') - days * 24 * HOUR * 1000).toISOString();
      await replay({ clientId: CLIENT, webhookId: WEBHOOK, since, until: now, requestedAt: now });
      found.push(delivery(missed)?.trigger);
    }
    expect(found).toEqual([undefined, 'REPLAY']);
  });

  test('is deactivated at once by a 410 to its probe, as by one to an event', async () => {
    const { paused, probe, endpoint, webhooks, clock } = world();
    await paused();
    endpoint.statusCode = 410;
    clock.set(new Date(clock.now().getTime() + HOUR * 1000).toISOString());
    await probe({ probe: true, clientId: CLIENT, webhookId: WEBHOOK });
    expect(await webhooks.find(CLIENT, WEBHOOK)).toMatchObject({ status: false, statusReason: 'ENDPOINT_GONE' });
  });
});

describe('decisions 10: a 2xx ends the pause', () => {
  test('three minutes later what happened in it is sent, once; what has a delivery is left alone', async () => {
    const { happen, delivery, paused, pass, endpoint, untilEnded, calls, clock } = world();
    const { before } = await paused();
    const missed = [await happen()];
    await pass(HOUR);
    missed.push(await happen());
    endpoint.statusCode = 200;
    await untilEnded();
    const ended = clock.now().getTime();
    const after = await happen();
    await pass(MINUTE);
    expect(calls(after)).toBe(1);
    expect(missed.map(delivery)).toEqual([undefined, undefined]);
    for (let minute = 0; minute < 10 && delivery(missed[0] ?? '') === undefined; minute += 1) await pass(MINUTE);
    expect(clock.now().getTime() - ended).toBeGreaterThanOrEqual(2 * MINUTE * 1000);
    expect(clock.now().getTime() - ended).toBeLessThanOrEqual(5 * MINUTE * 1000);
    await pass(24 * HOUR, HOUR);
    expect(missed.map(calls)).toEqual([1, 1]);
    expect(calls(after)).toBe(1);
    expect(before.map((eventId) => delivery(eventId)?.status)).toEqual(['DELIVERED']);
  });

  test('events of another service whose clock was ahead are sent, too, with a time after the end of the pause', async () => {
    const { happen, delivery, paused, pass, endpoint, untilEnded, calls, clock } = world();
    await paused();
    const ahead = await happen(new Date(clock.now().getTime() + 12 * HOUR * 1000).toISOString());
    endpoint.statusCode = 200;
    await untilEnded();
    await pass(24 * HOUR, HOUR);
    expect([delivery(ahead)?.status, calls(ahead)]).toEqual(['DELIVERED', 1]);
  });

  test('and so does the 2xx to a test that its client asks for', async () => {
    const { happen, delivery, paused, pass, endpoint, answer, webhooks, health, steps, clock, newId } = world();
    await paused();
    const missed = await happen();
    endpoint.statusCode = 200;
    const test = testWebhook({ webhooks, health, sendEvent: steps.sendEvent, clock, newId });
    await test(routeCall(testWebhookContract, { webhook_id: WEBHOOK }));
    expect(await answer()).not.toHaveProperty('deliveriesPausedAt');
    await pass(5 * MINUTE);
    expect(delivery(missed)?.status).toBe('DELIVERED');
  });

  test('an event that is fanned out while it ends is delivered once', async () => {
    const { happen, paused, pass, endpoint, steps, calls, untilEnded } = world();
    await paused();
    endpoint.statusCode = 200;
    const fanned: string[] = [];
    const { sendEvent } = steps;
    // This event's fan-out has read that the webhook is paused, and ends only after the pause.
    steps.sendEvent = async (...given) => {
      const attempt = await sendEvent(...given);
      if (fanned.length === 0) fanned.push(await happen());
      return attempt;
    };
    await untilEnded();
    await pass(10 * MINUTE);
    expect(fanned.map(calls)).toEqual([1]);
  });
});

describe('decisions 10: a pause, when something dies or comes twice', () => {
  test('two messages for one probe are one call', async () => {
    const { paused, pass, probe, tests, clock } = world();
    await paused();
    await pass(20 * MINUTE);
    const probed = tests().length;
    clock.advance(31 * MINUTE);
    const message = { probe: true, clientId: CLIENT, webhookId: WEBHOOK } as const;
    await Promise.all([probe(message), probe(message)]);
    await probe(message);
    expect(tests()).toHaveLength(probed + 1);
  });

  test('a probe whose sender dies is made again half an hour later', async () => {
    const { paused, pass, steps, tests } = world();
    await paused();
    const { recordResult } = steps;
    const probed = tests().length;
    steps.recordResult = () => Promise.reject(new Error('stopped'));
    await expect(pass(40 * MINUTE)).rejects.toThrow('stopped');
    steps.recordResult = recordResult;
    await pass(32 * MINUTE);
    expect(tests()).toHaveLength(probed + 2);
  });

  test('a replay that is started twice, because the sweep dies after it has sent its message, sends each event once', async () => {
    const { happen, paused, pass, endpoint, parts, calls, replay, replays, lines } = world();
    await paused();
    const missed = await happen();
    endpoint.statusCode = 200;
    const { forgetPause, sendReplay } = parts;
    const messages: ReplayMessage[] = [];
    parts.sendReplay = async (message) => {
      messages.push(message);
      await sendReplay(message);
    };
    parts.forgetPause = () => Promise.reject(new Error('stopped'));
    for (let minute = 0; minute < 60 && messages.length < 2; minute += 1) await pass(MINUTE);
    parts.forgetPause = forgetPause;
    await pass(3 * MINUTE);
    expect(messages.length).toBeGreaterThanOrEqual(2);
    // The messages are identical, so that the queue recognises the second one.
    expect(new Set(messages.map((message) => JSON.stringify(message))).size).toBe(1);
    for (const message of messages) await replay(message);
    await pass(HOUR);
    expect([calls(missed), replays]).toEqual([1, []]);
    expect(lines.some(({ level, code }) => level === 'error' && code === 'WEBHOOK_NOT_TENDED')).toBe(true);
  });

  test('an outage that begins before the replay keeps its own begin: the replay forgets only what it sends', async () => {
    const { health, clock, endpoint, paused, untilEnded, pass, answer } = world();
    await paused();
    endpoint.statusCode = 200;
    await untilEnded();
    endpoint.statusCode = 500;
    for (const token of ['6', '7', '8', '9', '10']) await health.recordResult(webhookOf(), token, REFUSED_CALL);
    const pausedAgainAt = new Date(clock.now().getTime() + 24 * HOUR * 1000).toISOString();
    await pass(10 * MINUTE);
    clock.set(pausedAgainAt);
    expect((await answer()).deliveriesPausedAt).toBe(pausedAgainAt);
  });

  test('a webhook that cannot be read keeps neither others nor the deliveries from being swept', async () => {
    const { paused, parts, tend, lines, clock } = world();
    await paused();
    clock.advance(HOUR);
    parts.dueBefore = () => {
      throw new Error('throttled');
    };
    await tend();
    expect(lines.at(-1)).toMatchObject({ level: 'error', code: 'WEBHOOK_NOT_TENDED' });
  });
});

describe('decisions 10: what its client changes', () => {
  const changing = (given: ReturnType<typeof world>, body: unknown) => {
    const { webhooks, health, clock } = given;
    const useCase = updateWebhook({
      webhooks,
      changeWebhook: webhooks.change,
      health,
      guardUrl: async (url) => ({ url: new URL(url), addresses: [] }),
      clock,
    });
    return useCase(routeCall(updateWebhookContract, { webhook_id: WEBHOOK }, body));
  };

  test('a new address ends the pause like a 2xx: what was missed is sent there three minutes later', async () => {
    const given = world();
    const { happen, delivery, paused, pass, endpoint, answer, sent } = given;
    await paused();
    const missed = await happen();
    endpoint.statusCode = 200;
    const url = 'https://new.example.com/';
    expect(await changing(given, { url })).not.toHaveProperty('body.deliveriesPausedAt');
    expect(await answer()).not.toHaveProperty('deliveriesPausedAt');
    await pass(2 * MINUTE);
    expect(delivery(missed)).toBeUndefined();
    await pass(3 * MINUTE);
    expect(delivery(missed)?.status).toBe('DELIVERED');
    expect(sent.find(({ eventId }) => eventId === missed)?.url).toBe(url);
  });

  test('a new secret ends it, too: what was missed is sent three minutes later, and later events at once', async () => {
    const { happen, delivery, paused, pass, endpoint, answer, webhooks, health, clock } = world();
    await paused();
    const missed = await happen();
    endpoint.statusCode = 200;
    const rotate = rotateWebhookSecret({
      ...{ webhooks, changeWebhook: webhooks.change, health, clock },
      issueSecret: async () => ({ secret: 'whsec_new', ciphertext: 'new' }),
    });
    await rotate(routeCall(rotateWebhookSecretContract, { webhook_id: WEBHOOK }));
    expect(await answer()).not.toHaveProperty('deliveriesPausedAt');
    await pass(2 * MINUTE);
    expect(delivery(missed)).toBeUndefined();
    await pass(2 * MINUTE);
    expect(delivery(missed)?.status).toBe('DELIVERED');
    const after = await happen();
    await pass(MINUTE);
    expect(delivery(after)?.status).toBe('DELIVERED');
  });

  test('deactivation and reactivation end it without a replay: it gets only what happens from then on', async () => {
    const given = world();
    const { happen, delivery, paused, pass, endpoint, answer, webhooks } = given;
    await paused();
    const missed = await happen();
    endpoint.statusCode = 200;
    const webhook = await webhooks.find(CLIENT, WEBHOOK);
    if (webhook !== undefined) await webhooks.change(webhook, { status: false });
    await changing(given, { status: true });
    expect(await answer()).not.toHaveProperty('deliveriesPausedAt');
    const after = await happen();
    await pass(2 * HOUR);
    expect([delivery(missed), delivery(after)?.status]).toEqual([undefined, 'DELIVERED']);
  });
});
