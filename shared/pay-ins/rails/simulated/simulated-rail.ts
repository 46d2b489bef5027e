import { KMSClient } from '@aws-sdk/client-kms';
import type { RailAdapter } from '#shared/pay-ins/rails/payment-rail.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createFetchPublicKey } from '#shared/platform/aws/kms.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSimulatedPayments } from './payments.ts';
import { simulatedReadRailNotification } from './rail-notifications.ts';

const payments = (clock: Clock) => createSimulatedPayments(dynamo, setting('SIMULATED_PAYMENTS_TABLE'), clock);

export const simulatedRailAdapter: RailAdapter = {
  methods: {
    PSE: { requires: [], hasPage: true },
    NEQUI: { requires: [], hasPage: false },
    DAVIPLATA: { requires: [], hasPage: false },
  },
  order: (clock) => payments(clock).order,
  find: (clock) => payments(clock).find,
  listPayments: (clock) => payments(clock).listPayments,
  readNotification() {
    const kms = new KMSClient(awsClientOptions);
    return simulatedReadRailNotification(createFetchPublicKey(kms, setting('RAIL_KEY_ID')));
  },
};
