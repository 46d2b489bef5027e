import type { UseCase } from '#shared/platform/http/use-case.ts';
import { refuseOtherClient } from '#shared/webhooks/owned-webhook.ts';
import { describeWebhook } from '#shared/webhooks/webhook-answer.ts';
import type { ReadCircuits } from '#shared/webhooks/webhook-circuits.ts';
import type { listWebhooks as contract } from '#shared/webhooks/webhook-contract.ts';
import type { Webhooks } from '#shared/webhooks/webhook-store.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly readCircuits: ReadCircuits;
}

export function listWebhooks({ webhooks, readCircuits }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    refuseOtherClient(clientId, path);
    query();
    const found = await webhooks.list(clientId);
    const circuits = await readCircuits(found);
    return { body: found.map((webhook, index) => describeWebhook(webhook, circuits[index])) };
  };
}
