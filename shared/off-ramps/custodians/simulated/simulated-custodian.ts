import { createHash } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import { formatAddress, networkSpecs } from '#shared/networks/network.ts';
import {
  type AssignDepositAddress,
  type Custodian,
  type Notified,
  notified,
  type ReadNotification,
} from '#shared/off-ramps/custodians/custodian.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createFetchPublicKey, type FetchPublicKey, verifyDetached } from '#shared/platform/aws/kms.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { simulatedMovements, simulatedSendings } from './sendings.ts';
import { SIGNATURE_HEADER } from './simulated-custodian-deployment.ts';
import { simulatedTransactions } from './transactions.ts';

export function createSimulatedSearch(
  clock: Clock,
): Required<Pick<Custodian, 'findTransfers' | 'findTransfer' | 'listTransfers'>> {
  return simulatedTransactions(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'), clock);
}

export function createSimulatedSendings(
  clock: Clock,
): Required<Pick<Custodian, 'send' | 'findSending' | 'findOutgoing'>> {
  return simulatedSendings(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'), clock);
}

export function createSimulatedMovements(clock: Clock): Required<Pick<Custodian, 'listMovements'>> {
  return simulatedMovements(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'), clock);
}

export function createSimulatedNotifications(): Required<Pick<Custodian, 'readNotification'>> {
  const fetchKey = createFetchPublicKey(new KMSClient(awsClientOptions), setting('CUSTODIAN_KEY_ID'));
  return { readNotification: createSimulatedReadNotification(fetchKey) };
}

export function createSimulatedAddresses(): Pick<Custodian, 'assignDepositAddress'> {
  return { assignDepositAddress: simulatedDepositAddress };
}

/**
 * Derives a well-formed address without a key from the operation's id. On a network with tags all operations share one
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

const known = z
  .extend(notified, { network: z.optional(z.string()) })
  .check(z.refine(({ custodianTransferId, txHash }) => custodianTransferId !== undefined || txHash !== undefined));

/** Real custodians name one transfer or several in one notification. */
const notification = z.object({ data: z.union([z.array(known), known]) });

const anyNotification = z.object({ eventType: z.string() });

/** Verifies with the public half of the simulated custodian's own key. */
export function createSimulatedReadNotification(fetchKey: FetchPublicKey): ReadNotification {
  return async ({ rawBody, headers }) => {
    await verifyDetached(headers.get(SIGNATURE_HEADER) ?? '', rawBody, await fetchKey());
    const claimed: unknown = JSON.parse(rawBody.toString('utf8'));
    if (anyNotification.parse(claimed).eventType !== DEPOSIT_CHANGED) return [];
    return [notification.parse(claimed).data].flat();
  };
}

/** The simulated custodian's notification of a transfer. */
export function simulatedNotification(transfer: Notified): string {
  return JSON.stringify({ eventType: DEPOSIT_CHANGED, data: notified.parse(transfer) });
}
