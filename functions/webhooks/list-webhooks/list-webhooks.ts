import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describeWebhook, type listWebhooksContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { refuseOtherClient } from '#shared/webhooks/store/owned-webhook.ts';
import type { ReadCircuits } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'listReadable'>;
  readonly readCircuits: ReadCircuits;
}

export function listWebhooks({ webhooks, readCircuits }: Dependencies): UseCase<typeof listWebhooksContract> {
  return async ({ clientId, path, query }) => {
    refuseOtherClient(clientId, path);
    query();
    const found = await webhooks.listReadable(clientId);
    const circuits = await readCircuits(found);
    return { body: found.map((webhook, index) => describeWebhook(webhook, circuits[index])) };
  };
}
