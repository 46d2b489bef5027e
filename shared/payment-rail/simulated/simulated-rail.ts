import { KMSClient } from '@aws-sdk/client-kms';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createFetchPublicKey } from '#shared/kms/public-key.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import type { PaymentRail } from '../payment-rail.ts';
import { simulatedReadRailNotification } from './notifications.ts';
import { simulatedRail } from './payments.ts';

/** What reads notifications is made when it is taken, so that a function has its settings only where it takes it. */
export function createSimulatedRail(clock: Clock): PaymentRail {
  const { order, find } = simulatedRail(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), clock);
  return {
    order,
    find,
    get readNotification() {
      const kms = new KMSClient(awsClientOptions);
      return simulatedReadRailNotification(createFetchPublicKey(kms, setting('RAIL_KEY_ID')));
    },
  };
}
