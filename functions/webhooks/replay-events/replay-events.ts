import type { DailyAllowances } from '#shared/clients/daily-allowances.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { SLOT_LEASE, type Slots } from '#shared/platform/dynamodb/slots.ts';
import { ApiError, dailyLimitReached } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { replayEventsContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { INDEX_LAG, parseReplayStart, type SendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly slots: Pick<Slots, 'acquire'>;
  readonly allowances: Pick<DailyAllowances, 'take'>;
  readonly sendMessage: SendReplayMessage;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Replays that a client may request in a minute, each of up to two weeks; implemented as slots. */
const MOST_A_MINUTE = 4;

/** Replays in a UTC day: of a webhook, and of all webhooks of a client, removed ones included. */
export const REPLAYS_A_DAY = { ofWebhook: 10, ofClient: 100 };

/** Requests a replay that ends at the request: later events are delivered anyway. */
export function replayEvents(deps: Dependencies): UseCase<typeof replayEventsContract> {
  const { webhooks, slots, allowances, sendMessage, clock, newId } = deps;
  return async ({ clientId, path, body }) => {
    const { webhookId, status } = await findOwnedWebhook(webhooks, clientId, path);
    const now = clock.now();
    const since = parseReplayStart(body().since, 'body.since', now);
    if (!status) throw new ApiError(webhookErrors.WEBHOOK_INACTIVE);
    // The slot is not released: it is free again after a minute.
    const acquired = await slots.acquire(`replay-requests#${clientId}`, MOST_A_MINUTE, newId());
    if (acquired.state === 'BUSY') throw new ApiError(apiErrors.TOO_MANY_REQUESTS, { retryAfterSeconds: SLOT_LEASE });
    const take = async (id: string, most: number) => (await allowances.take({ of: `replays#${id}`, most })).isGranted;
    // The webhook's limit comes first, so that a refusal of it uses up nothing of the client's limit.
    const isGranted =
      (await take(webhookId, REPLAYS_A_DAY.ofWebhook)) && (await take(clientId, REPLAYS_A_DAY.ofClient));
    if (!isGranted) throw dailyLimitReached(now);
    const requestedAt = now.toISOString();
    await sendMessage({ clientId, webhookId, since, until: requestedAt, requestedAt }, INDEX_LAG);
    return { body: { since } };
  };
}
