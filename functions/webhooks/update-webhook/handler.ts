import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import type { GuardTarget } from '#shared/webhooks/ssrf-guard.ts';
import { targetGuardSetting } from '#shared/webhooks/ssrf-guard-setting.ts';
import { webhookHealthIn } from '#shared/webhooks/webhook-health-records.ts';
import { updateWebhook as contract } from '#shared/webhooks/webhook-management-contract.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { webhookChanger } from '#shared/webhooks/write-webhook.ts';
import { updateWebhook } from './update-webhook.ts';

export function wire(
  { dynamo, guardTarget }: Pick<AwsClients, 'dynamo'> & { readonly guardTarget: GuardTarget },
  clock: Clock,
) {
  const table = setting('WEBHOOKS_TABLE');
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    updateWebhook({
      webhooks: webhooksIn(dynamo, table),
      changeWebhook: webhookChanger(dynamo, table),
      health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock),
      guardTarget,
      clock,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, guardTarget: targetGuardSetting(systemClock) }, systemClock);
