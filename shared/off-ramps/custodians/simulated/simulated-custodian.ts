import { createHash } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import { formatAddress } from '#shared/networks/addresses-and-hashes.ts';
import { networkSpecs } from '#shared/networks/network.ts';
import {
  type AssignDepositAddress,
  type Custodian,
  type NotifiedTransfer,
  notifiedTransfer,
  type ReadNotification,
} from '#shared/off-ramps/custodians/custodian.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createFetchPublicKey, type FetchPublicKey, verifyDetached } from '#shared/platform/aws/kms-signatures.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { SIGNATURE_HEADER } from './simulated-custodian-deployment.ts';
import { simulatedFindTransfers } from './transactions.ts';

/** Each part is created on first use, so that a function needs settings only for the parts that it uses. */
export function createSimulatedCustodian(): Custodian {
  return {
    name: 'simulated',
    get findTransfers() {
      return simulatedFindTransfers(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'));
    },
    get readNotification() {
      const kms = new KMSClient(awsClientOptions);
      return simulatedReadNotification(createFetchPublicKey(kms, setting('CUSTODIAN_KEY_ID')));
    },
    assignDepositAddress: simulatedDepositAddress,
  };
}

/**
 * A well-formed address without a key, derived from the operation's id. On a network with tags all operations share one
 * account, as at a custodian, and each has its own tag: a memo of 64 bits.
 */
export const simulatedDepositAddress: AssignDepositAddress = async ({ operationId, network }) => {
  const own = digest(`${network}:${operationId}`);
  return networkSpecs[network].family.hasTags
    ? { address: formatAddress(network, digest(network)), tag: own.readBigUInt64BE().toString() }
    : { address: formatAddress(network, own) };
};

const digest = (text: string) => createHash('sha256').update(text).digest();

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

/** The simulated custodian's notification of a transfer. */
export function simulatedNotification(transfer: NotifiedTransfer): string {
  return JSON.stringify({ eventType: DEPOSIT_CHANGED, data: notifiedTransfer.parse(transfer) });
}
