import { describe, expect, test } from 'vitest';
import { replayEvents } from '#functions/webhooks/replay-events/replay-events.ts';
import { createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { replayEvents as contract } from '#shared/webhooks/delivery-contract.ts';
import { parseReplayMessage, type ReplayMessage } from '#shared/webhooks/replay-messages.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { slotsInMemory } from '#test/support/slots-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-11-21T12:00:00.000Z';

function world(webhook = webhookOf()) {
  const messages: ReplayMessage[] = [];
  const delays: number[] = [];
  const clock = fakeClock(NOW);
  let ids = 0;
  const useCase = replayEvents({
    webhooks: webhooksInMemory(webhook),
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
    const { body } = await useCase(routeCall(contract, path, { since }));
    return contract.success.body.parse(body);
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
