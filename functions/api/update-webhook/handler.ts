import { updateWebhook as contract } from '#shared/contracts/webhook-management.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { webhookChanger } from '#shared/dynamodb/write-webhook.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';
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
