import { KMSClient } from '@aws-sdk/client-kms';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createFetchPublicKey } from '#shared/platform/aws/kms-signatures.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSimulatedPayments } from './payments.ts';
import { simulatedReadRailNotification } from './rail-notifications.ts';

/** The reader of notifications is created on first use, so that a function needs its settings only if it uses it. */
export function createSimulatedRail(clock: Clock): PaymentRail {
  const { order, find } = createSimulatedPayments(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), clock);
  return {
    order,
    find,
    get readNotification() {
      const kms = new KMSClient(awsClientOptions);
      return simulatedReadRailNotification(createFetchPublicKey(kms, setting('RAIL_KEY_ID')));
    },
  };
}
