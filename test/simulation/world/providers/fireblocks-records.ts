import type { Big } from 'big.js';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { paysFee } from '#test/simulation/books/fits.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { isSweep, type SaidSending } from './sendings.ts';

/** The number of confirmations at which the count stops, except on Ethereum. */
const POLICY = 1;

/** Returns the record's id: the part of a movement's id before the `#`. */
export const recordOf = (id: string) => id.replace(/#.*$/, '');

/** A Fireblocks transaction, with the fields that the world reads typed. */
export interface FireblocksRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly [field: string]: unknown;
}

/** Writes Fireblocks records with one or several movements, in all statuses and sub-statuses, and in unknown words. */
export function createFireblocksRecords(random: Random) {
  /** Writes the same decimal in one of its spellings. */
  const spelt = (amount: string) =>
    random.pick([amount, amount, amount.includes('.') ? `${amount}000` : `${amount}.000000`]);

  const inAnyOrder = <One>(all: readonly One[]): readonly One[] => (random.chance(0.5) ? all : all.toReversed());

  /** Records of incoming transfers. */
  const incomingOf = (transfers: readonly CustodianTransfer[]): readonly FireblocksRecord[] => {
    const grouped = Map.groupBy(transfers, ({ custodianTransferId }) => recordOf(custodianTransferId));
    return [...grouped].map(([id, movements]) => recordWith(id, movements));
  };

  const recordWith = (id: string, movements: readonly CustodianTransfer[]): FireblocksRecord => {
    const [first] = movements;
    if (first === undefined) throw new Error(`The record ${id} has no movement.`);
    const { network, txHash, fromAddress, toTag = '', isFromCustodian, createdAt, confirmations = 0 } = first;
    const isSeveral = movements.length > 1;
    const inside = { type: 'VAULT_ACCOUNT', id: '7' };
    const elsewhere = { assetId: first.assetId, netAmount: '1', txHash };
    const moved = {
      assetId: first.assetId,
      destinationAddress: first.toAddress,
      amountInfo: { amount: spelt(first.amount) },
      // A float, which an adapter must not read.
      amount: Number(first.amount),
    };
    return {
      id,
      txHash,
      ...statusOf(first.state),
      // Money from its gas station is its own, and leaves no vault.
      source: { type: isFromCustodian === true ? 'GAS_STATION' : 'UNKNOWN' },
      sourceAddress: fromAddress,
      destination: inside,
      destinationTag: toTag,
      numOfConfirmations: Math.min(confirmations, network === 'ETHEREUM' ? confirmations : POLICY),
      createdAt: Date.parse(createdAt),
      ...(isSeveral
        ? {
            ...moved,
            networkRecords: inAnyOrder([
              ...movements.map(({ toAddress, assetId, amount }) => ({
                ...{ destinationAddress: toAddress, assetId, netAmount: amount, txHash, isDropped: false },
                destination: inside,
              })),
              // A movement to an outside address, and a dropped one.
              { ...elsewhere, destinationAddress: fromAddress, destination: { type: 'UNKNOWN' } },
              { ...elsewhere, destinationAddress: first.toAddress, destination: inside, isDropped: true },
            ]),
          }
        : moved),
    };
  };

  const statusOf = (state: CustodianTransfer['state']) => {
    const ended = random.pick([{}, { complianceResults: { aml: { screeningStatus: 'BYPASSED' } } }]);
    const statuses: Readonly<Record<CustodianTransfer['state'], readonly [object, ...object[]]>> = {
      UNCONFIRMED: [
        { status: 'SUBMITTED' },
        { status: 'CONFIRMING', subStatus: 'PENDING_BLOCKCHAIN_CONFIRMATIONS' },
        { status: 'PENDING_AML_SCREENING' },
        { status: 'PENDING_ENRICHMENT' },
        { status: 'OF_NO_LIST_YET' },
        { status: 'COMPLETED', complianceResults: { aml: { screeningStatus: 'PENDING' } } },
      ],
      CONFIRMED: [
        { status: 'COMPLETED', ...ended },
        { status: 'COMPLETED', subStatus: 'CONFIRMED', ...ended },
        { status: 'COMPLETED', subStatus: '3RD_PARTY_COMPLETED', ...ended },
      ],
      HELD: [
        { status: 'REJECTED', subStatus: 'AUTO_FREEZE' },
        { status: 'REJECTED', subStatus: 'OF_NO_LIST_YET' },
        { status: 'BLOCKED' },
        { status: 'COMPLETED', subStatus: 'COMPLETED_BUT_3RD_PARTY_REJECTED' },
      ],
      FAILED: [{ status: 'FAILED', subStatus: 'DROPPED_BY_BLOCKCHAIN' }, { status: 'CANCELLED' }],
      GONE: [{ status: 'FAILED' }],
    };
    return random.pick(statuses[state]);
  };

  /** A record of an outgoing transfer: addresses appear once it is in a block, the fee once that is paid. */
  const outgoingOf = ({ sent, phase }: SaidSending): FireblocksRecord => {
    const { order, externalId, movementId: id, takenAt: createdAt, fee } = sent;
    const { assetId, amount, from, to } = order;
    const { state, txHash } = phase;
    const statuses: Readonly<Record<typeof state, readonly [string, ...string[]]>> = {
      PENDING: txHash === undefined ? ['SUBMITTED', 'QUEUED', 'PENDING_SIGNATURE', 'OF_NO_LIST_YET'] : ['CONFIRMING'],
      COMPLETED: ['COMPLETED'],
      // With these a transfer that has arrived is frozen.
      FAILED: ['FAILED', 'CANCELLED', ...(isSweep(sent) ? [] : ['REJECTED', 'BLOCKED'])],
    };
    const source = { type: 'VAULT_ACCOUNT', id: from };
    const { destination, address } = goalOf(sent);
    const destinationAddress = txHash === undefined ? '' : address;
    const one = { source, destination, destinationAddress, assetId, netAmount: spelt(amount), txHash };
    return {
      ...{
        id,
        createdAt,
        assetId,
        source,
        sourceAddress: from,
        destination,
        destinationAddress,
        externalTxId: externalId ?? null,
      },
      ...{
        status: random.pick(statuses[state]),
        txHash: txHash ?? '',
        destinationTag: to.tag ?? '',
        nonce: nonceOf(sent),
      },
      signedBy: txHash === undefined ? [] : ['a signer'],
      amountInfo: { amount: spelt(amount), ...(state === 'COMPLETED' && { netAmount: amount }) },
      ...feesOf(phase, fee.amount),
      feeCurrency: fee.assetId,
      ...(state === 'COMPLETED' && random.chance(0.3) && { networkRecords: [{ ...one, isDropped: false }] }),
    };
  };

  /** A sweep goes to a vault, with an address that no setting names. */
  const goalOf = (sent: SaidSending['sent']) => {
    const { address } = sent.order.to;
    return isSweep(sent)
      ? { address: `one in ${address}`, destination: { type: 'VAULT_ACCOUNT', id: address } }
      : { address, destination: { type: random.pick(['ONE_TIME_ADDRESS', 'EXTERNAL_WALLET']), id: null } };
  };

  /** The fee, once a block has the transaction; a failed one may have an estimate. */
  const feesOf = (phase: SaidSending['phase'], networkFee: string) => {
    if (paysFee(phase)) return { feeInfo: { networkFee }, blockInfo: { blockHeight: '9', blockHash: '0x9' } };
    const isEstimated = phase.state === 'FAILED' && random.chance(0.5);
    return { feeInfo: isEstimated ? { networkFee } : {}, blockInfo: { blockHeight: null, blockHash: null } };
  };

  /** The transaction that has used the nonce of a sending that can no longer arrive. */
  const insteadOf = ({ sent }: SaidSending): FireblocksRecord => {
    const { takenAt: createdAt, movementId, order, fee } = sent;
    const to = { destination: { type: 'UNKNOWN' }, destinationAddress: order.from };
    const what = {
      assetId: fee.assetId,
      source: { type: 'VAULT_ACCOUNT', id: order.from },
      amountInfo: { amount: '0' },
    };
    return {
      id: `${movementId}-instead`,
      createdAt,
      status: 'COMPLETED',
      nonce: nonceOf(sent),
      ...what,
      ...to,
    };
  };

  return { incomingOf, outgoingOf, insteadOf };
}

const nonceOf = ({ movementId, boosts = movementId }: SaidSending['sent']) => boosts;

/** Returns a balance in the shape of Fireblocks, whose total includes pending transfers. */
export function vaultAssetOf(id: string, there: Big, pending: Big): object {
  return { id, total: there.plus(pending).toFixed(), pending: pending.toFixed(), available: '0', frozen: '0' };
}
