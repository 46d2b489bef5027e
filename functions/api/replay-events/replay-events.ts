import type { replayEvents as contract } from '#shared/contracts/replay-events.ts';
import { invalid, Refusal } from '#shared/domain/refusal.ts';
import { REPLAY_DAYS } from '#shared/dynamodb/expiry.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { SendReplayMessage } from '#shared/sqs/replay-messages.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly sendMessage: SendReplayMessage;
  readonly clock: Clock;
}

/** What happens from the request on is delivered anyway. */
export function replayEvents({ webhooks, sendMessage, clock }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, body }) => {
    const { webhookId, status } = await ownedWebhook(webhooks, clientId, path);
    const now = clock.now();
    const since = replayableInstant(body().since, now);
    if (!status) throw new Refusal('WEBHOOK_INACTIVE');
    const requestedAt = now.toISOString();
    await sendMessage({ clientId, webhookId, since, until: requestedAt, requestedAt });
    return { body: { since } };
  };
}

function replayableInstant(given: string, now: Date): string {
  const since = new Date(given);
  const oldest = now.getTime() - REPLAY_DAYS * 24 * 3600 * 1000;
  if (since.getTime() >= oldest && since <= now) return since.toISOString();
  throw invalid({
    path: 'body.since',
    code: 'OUT_OF_RANGE',
    message: `must be at most ${REPLAY_DAYS} days ago and not in the future`,
  });
}
