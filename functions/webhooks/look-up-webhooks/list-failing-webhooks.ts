import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';
import type { listFailingWebhooksContract, NextStep } from '#shared/webhooks/contract/webhook-lookups.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { lastErrorOf } from '#shared/webhooks/model/webhook-health.ts';
import type { CountUnattempted } from '#shared/webhooks/store/delivery-repository.ts';
import type { FailingWebhook, ListFailing } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

/** The number of failures that opens a circuit. */
const MANY_FAILURES = 5;

interface Dependencies {
  readonly listFailing: ListFailing;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly countUnattempted: CountUnattempted;
  readonly clock: Clock;
}

export function listFailingWebhooks(deps: Dependencies): UseCase<typeof listFailingWebhooksContract> {
  const { listFailing, webhooks, countUnattempted, clock } = deps;
  return async ({ query }) => {
    const now = clock.now();
    const page = await listFailing(listStart(query()), MOST_LISTED);
    const body = await readablePage(
      page,
      ({ webhookId }) => webhookId,
      async (health) => {
        const row = rowOf(health, await findOf(webhooks, health), now);
        return row && { ...row, neverAttempted: await countUnattempted(health.webhookId) };
      },
    );
    return { body };
  };
}

const findOf = (webhooks: Dependencies['webhooks'], { clientId, webhookId }: FailingWebhook) =>
  webhooks.find(clientId, webhookId);

/** Leaves out a webhook that its client has changed or removed since. */
function rowOf(health: FailingWebhook, webhook: Webhook | undefined, now: Date) {
  const { failingSince: since, failures, configuration } = health;
  if (since === undefined || webhook === undefined || failures < MANY_FAILURES) return undefined;
  if (webhook.status && webhook.sequence > configuration) return undefined;
  const { webhookId, clientId, url, statusReason, status: isActive } = webhook;
  // The client deactivated the webhook, so nobody waits for it.
  if (!isActive && statusReason === undefined) return undefined;
  const row = {
    webhookId,
    clientId,
    isActive,
    host: new URL(url).host,
    failures,
    lastError: lastErrorOf(health),
    since,
    age: formatAge(since, now),
  };
  return { ...row, ...(statusReason !== undefined && { statusReason }), ...nextOf(webhook) };
}

function nextOf({ status, statusReason }: Webhook): Pick<NextStep, 'who' | 'what'> {
  if (statusReason === 'BY_OPERATOR') {
    return { who: 'NOBODY', what: 'An operator has deactivated it: audit --about its id says why.' };
  }
  return status
    ? {
        who: 'CLIENT',
        what: 'Repairs its endpoint: tell the client. After five days of failures the webhook is deactivated.',
      }
    : {
        who: 'CLIENT',
        what: 'Repairs its endpoint, reactivates the webhook and replays what it has missed: tell the client.',
      };
}
