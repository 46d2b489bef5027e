import * as z from 'zod/mini';
import type { ReadNotification } from '#shared/off-ramps/custodians/custodian.ts';
import { type NotifiedTransfer, notifiedTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { verifyDetached } from '#shared/platform/aws/detached-jws.ts';
import type { FetchPublicKey } from '#shared/platform/aws/public-key.ts';
import { SIGNATURE_HEADER } from './simulated-custodian-deployment.ts';

const DEPOSIT_CHANGED = 'transaction.status.updated';

const notification = z.object({ eventType: z.string(), data: notifiedTransfer });

const anyNotification = z.object({ eventType: z.string() });

/** Verifies with the public half of the simulated custodian's own key. */
export function simulatedReadNotification(fetchKey: FetchPublicKey): ReadNotification {
  return async ({ rawBody, headers }) => {
    await verifyDetached(headers.get(SIGNATURE_HEADER) ?? '', rawBody, await fetchKey());
    const claimed: unknown = JSON.parse(rawBody.toString('utf8'));
    if (anyNotification.parse(claimed).eventType !== DEPOSIT_CHANGED) return undefined;
    return notification.parse(claimed).data;
  };
}

/** What the simulated custodian sends for a transfer. */
export function simulatedNotification(transfer: NotifiedTransfer): string {
  return JSON.stringify({ eventType: DEPOSIT_CHANGED, data: notifiedTransfer.parse(transfer) });
}
