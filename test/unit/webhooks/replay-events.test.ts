import { describe, expect, test } from 'vitest';
import { replayClientEvents } from '#functions/webhooks/replay-client-events/replay-client-events.ts';
import { replayEvents } from '#functions/webhooks/replay-events/replay-events.ts';
import { createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { replayEventsContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { parseReplayMessage, type ReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { eventsInMemory } from '#test/support/events-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { slotsInMemory } from '#test/support/slots-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-11-21T12:00:00.000Z';

function world(...webhooks: readonly Webhook[]) {
  const messages: ReplayMessage[] = [];
  const delays: number[] = [];
  const clock = fakeClock(NOW);
  let ids = 0;
  const useCase = replayEvents({
    webhooks: webhooksInMemory(...(webhooks.length > 0 ? webhooks : [webhookOf()])),
    slots: slotsInMemory(clock),
    allowances: createDailyAllowances(tablesInMemory().dynamo, 'allowances', clock),
    sendMessage: async (message, delay) => {
      messages.push(message);
      delays.push(delay);
    },
    clock,
    newId: () => `request ${ids++}`,
  });
  const replay = async (since: unknown, path: Record<string, string> = {}) => {
    const { body } = await useCase(routeCall(replayEventsContract, path, { since }));
    return replayEventsContract.success.body.parse(body);
  };
  return { clock, messages, delays, replay };
}

describe('decisions 7, delivery log: a replay', () => {
  test.each([
    ['2026-11-20T10:00:00-05:00', '2026-11-20T15:00:00.000Z'],
    ['2026-11-20T15:00:00.1239Z', '2026-11-20T15:00:00.123Z'],
    ['2026-11-07T12:00:00Z', '2026-11-07T12:00:00.000Z'],
    [NOW, NOW],
  ])('since %s is of what happened from %s until now', async (given, since) => {
    const { messages, replay } = world();
    expect(await replay(given)).toEqual({ since });
    const message = { clientId: CLIENT, webhookId: WEBHOOK, since, until: NOW, requestedAt: NOW };
    expect(messages).toEqual([message]);
    expect(parseReplayMessage(JSON.stringify(message))).toEqual(message);
  });

  test.each([
    ['more than 14 days ago', '2026-11-07T11:59:59.999Z', 'OUT_OF_RANGE'],
    ['in the future', '2026-11-21T12:00:00.001Z', 'OUT_OF_RANGE'],
    ['more than 14 days ago by its offset', '2026-11-07T12:00:00+00:01', 'OUT_OF_RANGE'],
    ['without an offset', '2026-11-20T15:00:00', 'INVALID_FORMAT'],
    ['a day', '2026-11-20', 'INVALID_FORMAT'],
    ['of a month that has no such day', '2026-11-31T00:00:00Z', 'INVALID_FORMAT'],
    ['a number', 1_795_262_591, 'INVALID_TYPE'],
    ['nothing', undefined, 'REQUIRED'],
  ])('since an instant that is %s is 422', async (_, since, code) => {
    const { messages, replay } = world();
    const error = await expectApiError(() => replay(since));
    expect(error).toMatchObject({ status: 422, errors: [{ path: 'body.since', code }] });
    expect(messages).toEqual([]);
  });

  test('to an inactive webhook is 409, after what is wrong with the body', async () => {
    const { messages, replay } = world(webhookOf({ status: false }));
    expect(await expectApiError(() => replay(NOW))).toMatchObject({ status: 409, code: 'WEBHOOK_INACTIVE' });
    expect((await expectApiError(() => replay('x'))).status).toBe(422);
    expect(messages).toEqual([]);
  });

  test.each([
    [{ clientId: STRANGER }, 'FORBIDDEN'],
    [{ webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    [{ webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
  ])('%j is %s, before the body is read', async (path, code) => {
    expect((await expectApiError(() => world().replay('x', path))).code).toBe(code);
  });
});

describe('decisions 7, delivery log: a replay that is asked for', () => {
  test('begins 15 seconds later, when the index has all that happened before the request', async () => {
    const { delays, replay } = world();
    await replay(NOW);
    expect(delays).toEqual([15]);
  });

  test('more than four times in a minute is 429 with Retry-After, and begins nothing', async () => {
    const { clock, messages, replay } = world();
    for (let asked = 0; asked < 4; asked += 1) await replay(NOW);
    const error = await expectApiError(() => replay(NOW));
    expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429, retryAfterSeconds: 60 });
    expect(messages).toHaveLength(4);
    clock.advance(60);
    await replay(NOW);
    expect(messages).toHaveLength(5);
  });
});

test('decisions 10: ten replays of a webhook in a day, whose eleventh is refused until the next midnight; another webhook has its own', async () => {
  const { clock, messages, replay } = world();
  for (let asked = 0; asked < 10; asked += 1) {
    clock.advance(61);
    await replay(NOW);
  }
  clock.advance(61);
  const midnight = (Date.parse('2026-11-22T00:00:00.000Z') - clock.now().getTime()) / 1000;
  expect(await expectApiError(() => replay(NOW))).toMatchObject({
    code: 'DAILY_LIMIT_REACHED',
    retryAfterSeconds: Math.ceil(midnight),
  });
  expect(messages).toHaveLength(10);
  clock.set('2026-11-22T00:00:00.000Z');
  await replay(NOW);
  expect(messages).toHaveLength(11);
});

describe('decisions 10: replays of all webhooks of a client, those that it registers anew among them', () => {
  const many = Array.from({ length: 300 }, (_, n) => webhookOf({ webhookId: `${WEBHOOK.slice(0, -3)}${100 + n}` }));
  /** Asks for replays of one webhook after the other, four every five minutes, for this many hours. */
  const asksFor = async ({ clock, replay }: ReturnType<typeof world>, hours: number, meanwhile = async () => {}) => {
    for (let step = 0; step < hours * 12; step += 1) {
      for (let asked = 0; asked < 4; asked += 1) {
        const { webhookId = '' } = many[(step * 4 + asked) % many.length] ?? {};
        await replay(clock.now().toISOString(), { webhook_id: webhookId }).catch(() => undefined);
      }
      clock.advance(5 * 60);
      await meanwhile();
    }
  };

  test('are a hundred a day; the next is refused until midnight', async () => {
    const given = world(...many);
    await asksFor(given, 11);
    expect(given.messages).toHaveLength(100);
    const { webhookId = '' } = many.at(-1) ?? {};
    const asked = () => given.replay(NOW, { webhook_id: webhookId });
    expect(await expectApiError(asked)).toMatchObject({ code: 'DAILY_LIMIT_REACHED', status: 429 });
    given.clock.set('2026-11-22T00:00:00.000Z');
    await asked();
    expect(given.messages).toHaveLength(101);
  });

  test('wait for their turn a day at most, so that never more wait at once than two days have', async () => {
    const lines = captureLogs();
    const given = world(...many);
    const { clock, messages } = given;
    // Another run of the client never ends.
    const slots = { ...slotsInMemory(clock), acquire: async () => ({ state: 'BUSY', heldSeconds: 45 }) as const };
    const unreached = () => Promise.reject(new Error('It has no turn.'));
    let waiting: ReplayMessage[] = [];
    const run = replayClientEvents({
      events: eventsInMemory(),
      webhooks: webhooksInMemory(...many),
      queue: { create: unreached, requeue: unreached },
      slots,
      sendDeliveryMessage: unreached,
      sendReplayMessage: async (message) => void waiting.push(message),
      clock,
      newId: () => 'run',
    });
    const most = { waiting: 0 };
    await asksFor(given, 72, async () => {
      const due = [...waiting, ...messages.splice(0)];
      waiting = [];
      for (const message of due) await run(message);
      most.waiting = Math.max(most.waiting, waiting.length);
    });
    expect(most.waiting).toBeGreaterThan(100);
    expect(most.waiting).toBeLessThanOrEqual(200);
    expect(lines.filter(({ code }) => code === 'REPLAY_CUT').length).toBeGreaterThan(0);
  });
});
