import * as z from 'zod/mini';
import type { OutgoingTransfer, Sending } from '#shared/off-ramps/custodians/outgoing.ts';
import {
  completed,
  instantOf,
  type Movement,
  movementsOf,
  type NetworkOf,
  noticeStatus,
  OURS,
  typeOf,
} from './fireblocks-transfers.ts';

/** Statuses of what leaves, but for COMPLETED (Fireblocks, Primary transaction statuses). */
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

/** `undefined` when it cannot be read. A word that is not known ends nothing. */
export function sendingStateOf(record: unknown): Sending['state'] | undefined {
  const { data } = outcome.safeParse(record);
  if (data === undefined) return undefined;
  const { status, subStatus } = data;
  const isCompleted = status === 'COMPLETED' && completed.includes(subStatus ?? '');
  if (isCompleted) return 'COMPLETED';
  if (states[status] === undefined) noticeStatus(status === 'COMPLETED' ? `COMPLETED_${subStatus}` : status);
  return states[status] ?? 'PENDING';
}

const transferStates = { PENDING: 'UNCONFIRMED', COMPLETED: 'CONFIRMED', FAILED: 'FAILED' } as const;

/** What leaves vaults in a transaction of Fireblocks, with its values as given: the boundary reads them. */
export function outgoingOf(record: unknown, networkOf: NetworkOf): readonly OutgoingTransfer[] {
  const all = movementsOf(record);
  const left = all.filter(({ source }) => typeOf(source) === OURS);
  return left.map((movement, at) => outgoing(record, withVault(movement, all), networkOf, at === 0));
}

/** A contract's call tells of what it moves between vaults twice: as it leaves, to an address, and as it arrives in the vault. */
function withVault(movement: Movement, all: readonly Movement[]): Movement {
  const isIt = ({ destination, ...one }: Movement) =>
    typeOf(destination) === OURS &&
    (['toAddress', 'assetId', 'amount'] as const).every((fact) => one[fact] === movement[fact]);
  const arrives = typeOf(movement.destination) === OURS ? undefined : all.find(isIt);
  return arrives === undefined ? movement : { ...movement, destination: arrives.destination };
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
    toAccount: typeOf(destination) === OURS ? Object(destination).id : undefined,
    assetId,
    amount,
    fee,
    createdAt: instantOf(createdAt),
  });
}

/**
 * Before it is known there is none. From its broadcast on there is an estimate (notifications that an integrator has
 * published), which what fails without a block has not paid. What another workspace pays is not ours (Fireblocks, FeeInfo).
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
