import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { createFindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { createSimulatedPayments } from '#shared/pay-ins/rails/simulated/payments.ts';
import { simulatedRailNotification } from '#shared/pay-ins/rails/simulated/rail-notifications.ts';
import { RAIL_SIGNATURE_HEADER } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { notifierAs } from '#shared/platform/notify-as-provider.ts';
import { simulatePayin } from './simulate-payin.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock) {
  const notify = notifierAs(kms, {
    keyId: setting('RAIL_KEY_ID'),
    signatureHeader: RAIL_SIGNATURE_HEADER,
    endpoint: new URL(setting('RAIL_NOTIFICATIONS_URL')),
  });
  return approvedEndpoint(
    simulatePayinContract,
    { dynamo, clientsTable: setting('CLIENTS_TABLE'), clock },
    simulatePayin({
      findPayin: createFindPayin(dynamo, setting('PAYINS_TABLE')),
      changePayment: createSimulatedPayments(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), clock).change,
      notify: (reference) => notify(simulatedRailNotification(reference)),
    }),
  );
}

export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock);
