import { KMSClient } from '@aws-sdk/client-kms';
import { simulatePayin as contract } from '#shared/contracts/simulate-payin.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { RAIL_SIGNATURE_HEADER, simulatedRailNotification } from '#shared/payment-rail/simulated/notifications.ts';
import { simulatedRail } from '#shared/payment-rail/simulated/payments.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { notifierAs } from '#shared/sandbox/notify-as-provider.ts';
import { simulatePayin } from './simulate-payin.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock) {
  const notify = notifierAs(kms, {
    keyId: setting('RAIL_KEY_ID'),
    signatureHeader: RAIL_SIGNATURE_HEADER,
    endpoint: new URL(setting('RAIL_NOTIFICATIONS_URL')),
  });
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    simulatePayin({
      payins: payinsIn(dynamo, setting('PAYINS_TABLE')),
      endPayment: simulatedRail(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), clock).end,
      notify: (reference) => notify(simulatedRailNotification(reference)),
    }),
  );
}

export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock);
