import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { createSendEvent } from '#shared/webhooks/http-client/send-event.ts';
import { createResolveHost, createSsrfGuard, DNS_DEADLINE } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { listening, type NameServer } from '#test/support/name-server.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const NAME = 'slow.example';
const url = `https://${NAME}/`;
const clock = fakeClock(CREATED_AT);

let server: NameServer;
let answer: () => void;

beforeEach(async () => {
  const ready = Promise.withResolvers<void>();
  answer = ready.resolve;
  server = await listening({ [NAME]: { A: ['8.8.8.8'], AAAA: ['2001:4860:4860:0:0:0:0:8888'] } }, ready.promise);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(async () => {
  vi.useRealTimers();
  answer();
  await server.stop();
});

const guardUrl = (text: string) =>
  createSsrfGuard(createResolveHost(systemClock, [server.address]), { allowsThisMachine: false })(text);

/** What comes of asking a name server that has nothing to say until the time for it is over. */
async function unanswered<Result>(asking: Promise<Result>): Promise<Result> {
  // Whoever waits for it does so later.
  asking.catch(() => undefined);
  await server.asked;
  vi.advanceTimersByTime(DNS_DEADLINE);
  answer();
  return asking;
}

describe('decisions 7, where a webhook may point: a name server that does not answer in time', () => {
  test('has said nothing, whatever it says later', async () => {
    expect(await unanswered(createResolveHost(systemClock, [server.address])(NAME))).toEqual([]);
  });

  test('is believed when it answers in time', async () => {
    const asking = createResolveHost(systemClock, [server.address])(NAME);
    await server.asked;
    vi.advanceTimersByTime(DNS_DEADLINE - 1);
    answer();
    expect(await asking).toEqual(['8.8.8.8', '2001:4860:4860::8888']);
  });

  test('is the error DNS of an attempt, which is made again like any other', async () => {
    const send = createSendEvent({
      guardUrl,
      decryptSecret: async () => 'whsec_c2VjcmV0',
      callWebhook: async () => expect.unreachable('Nobody knows whom to call.'),
      clock,
    });
    const attempt = await unanswered(send(webhookOf({ url }), { eventId: 'evt_1', body: '{}' }));
    expect(attempt).toMatchObject({ error: 'DNS' });
    expect(attempt).not.toHaveProperty('isUrlBlocked');
  });
});
