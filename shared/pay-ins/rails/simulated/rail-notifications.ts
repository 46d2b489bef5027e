import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import type { ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createFetchPublicKey, type FetchPublicKey, verifyDetached } from '#shared/platform/aws/kms.ts';
import { setting } from '#shared/platform/environment.ts';
import { RAIL_SIGNATURE_HEADER } from './simulated-rail-deployment.ts';

const PAYMENT_CHANGED = 'payment.updated';

const anyNotification = z.object({ event: z.string() });
const notification = z.object({ event: z.string(), data: z.object({ reference: z.string() }) });

export function createSimulatedRailNotifications(): ReadRailNotification {
  const kms = new KMSClient(awsClientOptions);
  return simulatedReadRailNotification(createFetchPublicKey(kms, setting('RAIL_KEY_ID')));
}

/** Verifies with the public half of the simulated rail's own key. */
export function simulatedReadRailNotification(fetchKey: FetchPublicKey): ReadRailNotification {
  return async ({ rawBody, headers }) => {
    await verifyDetached(headers.get(RAIL_SIGNATURE_HEADER) ?? '', rawBody, await fetchKey());
    const claimed: unknown = JSON.parse(rawBody.toString('utf8'));
    if (anyNotification.parse(claimed).event !== PAYMENT_CHANGED) return [];
    return [notification.parse(claimed).data.reference];
  };
}

/** The simulated rail's notification of a payment. */
export function simulatedRailNotification(reference: string): string {
  return JSON.stringify({ event: PAYMENT_CHANGED, data: { reference } });
}
