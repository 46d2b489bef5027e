import * as z from 'zod/mini';
import type { OutgoingTransfer, Sending } from '#shared/off-ramps/custodians/outgoing.ts';
import {
  completedSubStatuses,
  instantOf,
  logUnknownStatus,
  type Movement,
  movementsOf,
  type NetworkOf,
  peerTypeOf,
  VAULT_ACCOUNT,
} from './fireblocks-transfers.ts';

/** The states of outgoing transfers by status, except COMPLETED (Fireblocks, Primary transaction statuses). */
const states: Readonly<Record<string, Sending['state']>> = {
  SUBMITTED: 'PENDING',
  PENDING_AML_SCREENING: 'PENDING',
  PENDING_ENRICHMENT: 'PENDING',
  PENDING_AUTHORIZATION: 'PENDING',
  QUEUED: 'PENDING',
  PENDING_SIGNATURE: 'PENDING',
  PENDING_3RD_PARTY_MANUAL_APPROVAL: 'PENDING',
  PENDING_3RD_PARTY: 'PENDING',
  BROADCASTING: 'PENDING',
  CONFIRMING: 'PENDING',
  CANCELLING: 'PENDING',
  CANCELLED: 'FAILED',
  REJECTED: 'FAILED',
  BLOCKED: 'FAILED',
  FAILED: 'FAILED',
};

const outcome = z.object({ status: z.string(), subStatus: z.nullish(z.string()) });

/** Returns `undefined` when the record cannot be read. An unknown status counts as PENDING, because it ends nothing. */
export function sendingStateOf(record: unknown): Sending['state'] | undefined {
  const { data } = outcome.safeParse(record);
  if (data === undefined) return undefined;
  const { status, subStatus } = data;
  const isCompleted = status === 'COMPLETED' && completedSubStatuses.includes(subStatus ?? '');
  if (isCompleted) return 'COMPLETED';
  if (states[status] === undefined) logUnknownStatus(status === 'COMPLETED' ? `COMPLETED_${subStatus}` : status);
  return states[status] ?? 'PENDING';
}

const transferStates = { PENDING: 'UNCONFIRMED', COMPLETED: 'CONFIRMED', FAILED: 'FAILED' } as const;

/** Returns what leaves vaults in a transaction of Fireblocks, with its values as given: the boundary parses them. */
export function outgoingOf(record: unknown, networkOf: NetworkOf): readonly OutgoingTransfer[] {
  const all = movementsOf(record);
  const left = all.filter(({ source }) => peerTypeOf(source) === VAULT_ACCOUNT);
  return left.map((movement, at) => outgoing(record, withVault(movement, all), networkOf, at === 0));
}

/** Adds the receiving vault: a contract call shows a movement between vaults twice, to an address and to the vault. */
function withVault(movement: Movement, all: readonly Movement[]): Movement {
  const isArrival = ({ destination, ...one }: Movement) =>
    peerTypeOf(destination) === VAULT_ACCOUNT &&
    (['toAddress', 'assetId', 'amount'] as const).every((field) => one[field] === movement[field]);
  const arrival = peerTypeOf(movement.destination) === VAULT_ACCOUNT ? undefined : all.find(isArrival);
  return arrival === undefined ? movement : { ...movement, destination: arrival.destination };
}

function outgoing(record: unknown, movement: Movement, networkOf: NetworkOf, isFirst: boolean): OutgoingTransfer {
  const { externalTxId, destinationTag, createdAt } = Object(record);
  const { custodianTransferId: movementId, txHash, source, destination, toAddress, assetId, amount } = movement;
  const state = sendingStateOf(record);
  const fee = isFirst ? feeOf(record, state) : undefined;
  return Object({
    movementId,
    externalId: externalTxId ?? undefined,
    network: networkOf(assetId),
    txHash: txHash ?? '',
    state: state && transferStates[state],
    from: Object(source).id,
    toAddress: toAddress ?? '',
    toTag: destinationTag || undefined,
    toAccount: peerTypeOf(destination) === VAULT_ACCOUNT ? Object(destination).id : undefined,
    assetId,
    amount,
    fee,
    createdAt: instantOf(createdAt),
  });
}

/**
 * Returns the network fee; `undefined` until it is known. From its broadcast on, a transaction has an estimate
 * (notifications that an integrator has published), which it has not paid if it fails without a block. A fee that
 * another workspace pays is not ours (Fireblocks, FeeInfo).
 */
function feeOf(record: unknown, state: Sending['state'] | undefined) {
  const { feeInfo, feeCurrency, blockInfo } = Object(record);
  const { networkFee: amount, paidByRelay, relayType } = Object(feeInfo);
  const { blockHash, blockHeight } = Object(blockInfo);
  const isUnpaid = state === 'FAILED' && !blockHash && !blockHeight;
  const isOthers = paidByRelay === true && relayType === 'THIRD_PARTY';
  if (isUnpaid || isOthers || amount == null || feeCurrency == null) return undefined;
  return { assetId: feeCurrency as unknown, amount: amount as unknown };
}
