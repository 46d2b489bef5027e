import { expect, test } from 'vitest';
import { eventExpiry } from '#shared/events/event-repository.ts';
import { deliveryExpiry, REPLAY_DAYS } from '#shared/webhooks/model/delivery.ts';
import { MOST_ATTEMPTS } from '#shared/webhooks/model/delivery-outcome.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const DAY = 24 * 3600 * 1000;

test('decisions 7: an event outlasts all attempts of a delivery that a replay made and that was asked for on its last day', () => {
  const published = new Date(CREATED_AT);
  const replayed = new Date(published.getTime() + REPLAY_DAYS * DAY);
  // An endpoint can put each attempt off for a day.
  const lastAttemptAt = deliveryExpiry(replayed) * 1000 + (MOST_ATTEMPTS - 1) * DAY;

  expect(eventExpiry(published) * 1000).toBeGreaterThan(lastAttemptAt);
});
