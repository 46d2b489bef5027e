import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { createFindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { createSimulatedPayments } from '#shared/pay-ins/rails/simulated/payments.ts';
import { simulatedRailNotification } from '#shared/pay-ins/rails/simulated/rail-notifications.ts';
import { RAIL_SIGNATURE_HEADER } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { createNotifyAsProvider } from '#shared/platform/notify-as-provider.ts';
import { simulatePayin } from './simulate-payin.ts';

export function wire({ dynamo, kms }: Pick<AwsClients, 'dynamo' | 'kms'>, clock: Clock) {
  const env = environment({
    railKeyId: 'RAIL_KEY_ID',
    railNotificationsUrl: 'RAIL_NOTIFICATIONS_URL',
    clientsTable: 'CLIENTS_TABLE',
    payinsTable: 'PAYINS_TABLE',
    simulatedPaymentsTable: 'SIMULATED_PAYMENTS_TABLE',
  });
  const notify = createNotifyAsProvider(kms, {
    keyId: env.railKeyId,
    signatureHeader: RAIL_SIGNATURE_HEADER,
    endpoint: new URL(env.railNotificationsUrl),
  });
  return approvedEndpoint(
    simulatePayinContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    simulatePayin({
      findPayin: createFindPayin(dynamo, env.payinsTable),
      changePayment: createSimulatedPayments(dynamo, env.simulatedPaymentsTable, clock).change,
      notify: (reference) => notify(simulatedRailNotification(reference)),
    }),
  );
}

export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions) }, systemClock);
