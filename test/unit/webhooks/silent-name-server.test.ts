import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { createResolveHost, DNS_DEADLINE } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { listening, type NameServer } from '#test/support/name-server.ts';

const NAME = 'slow.example';

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

/** The outcome of a question to a name server that answers only after the deadline. */
async function unanswered<Result>(asking: Promise<Result>): Promise<Result> {
  // The caller awaits the outcome later; until then a rejection must not count as unhandled.
  asking.catch(() => undefined);
  await server.asked;
  vi.advanceTimersByTime(DNS_DEADLINE);
  answer();
  return asking;
}

describe('decisions 7, where a webhook may point: a name server that does not answer in time', () => {
  test('counts as silent, whatever it answers later', async () => {
    expect(await unanswered(createResolveHost(systemClock, [server.address])(NAME))).toEqual([]);
  });

  test('is believed when it answers in time', async () => {
    const asking = createResolveHost(systemClock, [server.address])(NAME);
    await server.asked;
    vi.advanceTimersByTime(DNS_DEADLINE - 1);
    answer();
    expect(await asking).toEqual(['8.8.8.8', '2001:4860:4860::8888']);
  });
});
