import Big from 'big.js';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import type { Network } from '#shared/networks/network.ts';
import type { Catalogue } from './catalogue.ts';

/** One transfer of a transaction. */
export interface Movement {
  /** A legacy id, which need not be in the catalogue. */
  readonly assetId: string;
  readonly amount: string;
  readonly to: string;
  readonly tag?: string;
  readonly from?: string;
  /** UNKNOWN, an outside sender, if absent; VAULT_ACCOUNT, EXTERNAL_WALLET and similar types have an id. */
  readonly source?: { readonly type: string; readonly id?: string };
  /** A vault if absent. */
  readonly destination?: Peer;
}

/** A transaction on a chain, as a test puts it into the workspace. */
export interface Deposit {
  readonly network: Network;
  /** In lower case for EVM networks; made if absent. */
  readonly txHash?: string;
  readonly movements: readonly [Movement, ...Movement[]];
  /**
   * A record for each movement; or one record: a contract call with `networkRecords`, or an asset with several
   * `destinations`. Such a record has no address of its own.
   */
  readonly shape?: 'RECORDS' | 'NETWORK_RECORDS' | 'DESTINATIONS';
  /** CONFIRMING if absent. */
  readonly status?: string;
  readonly subStatus?: string;
  readonly confirmations?: number;
  readonly screening?: 'PENDING' | 'COMPLETED' | 'BYPASSED' | 'FAILED' | 'FROZEN';
  /** Milliseconds since 1970; now if absent. */
  readonly createdAt?: number;
  /** Fields that replace those of the record; `undefined` removes a field. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface Peer {
  readonly type: string;
  readonly id: string | null;
  readonly name: string;
}

/** A record as it is listed, searched and notified: Fireblocks, API reference, TransactionResponse. */
export interface TransactionRecord {
  readonly id: string;
  /** Orders records that were created in the same millisecond. */
  readonly serial: number;
  readonly network: Network;
  readonly txHash: string;
  readonly createdAt: number;
  readonly lastUpdated: number;
  readonly status: string;
  readonly assetId: string;
  readonly source: Peer;
  readonly destination: Peer;
  /** The whole record in JSON. */
  readonly text: string;
}

/** Statuses that show both addresses; an incoming transaction that fails or is rejected was CONFIRMING before. */
const mined = ['CONFIRMING', 'COMPLETED', 'FAILED', 'REJECTED'];
const subStatuses: Readonly<Record<string, string>> = {
  CONFIRMING: 'PENDING_BLOCKCHAIN_CONFIRMATIONS',
  COMPLETED: 'CONFIRMED',
};

export interface RecordDeps {
  readonly catalogue: Catalogue;
  readonly policyOf: (network: Network) => number;
  /** The vault that a movement arrives in. */
  readonly destinationOf: (movement: Movement) => Peer;
}

export function createRecords({ catalogue, policyOf, destinationOf }: RecordDeps) {
  const sourceOf = ({ source }: Movement): Peer => {
    const { type = 'UNKNOWN', id = null } = source ?? {};
    return { type, id, name: type === 'UNKNOWN' ? 'External' : type };
  };
  const assetOf = (assetId: string) => {
    const asset = catalogue.asset(assetId);
    if (asset === undefined) return { assetId };
    const { contract, network } = asset;
    return { assetId, assetType: contract === undefined ? 'BASE_ASSET' : catalogue.chains.get(network)?.tokenType };
  };

  /** The fields that depend on the shape. */
  function shapeOf({ network, txHash, shape }: Deposit, movements: readonly Movement[], index: number) {
    const [first] = movements as [Movement];
    const sourceAddress = first.from === undefined ? '' : withChecksum(network, first.from);
    const common = { ...assetOf(first.assetId), ...amountsOf(first.amount), source: sourceOf(first), sourceAddress };
    const several = { ...common, destinationAddress: '', destinationTag: '' };
    if (shape === 'DESTINATIONS') {
      const destination: Peer = { type: 'MULTI_DESTINATION', id: null, name: '' };
      const destinations = movements.map((one) => ({ amount: one.amount, destination: destinationOf(one) }));
      const total = movements.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).toFixed();
      return { ...several, ...amountsOf(total), destination, destinations };
    }
    const destination = destinationOf(first);
    if (shape === 'NETWORK_RECORDS') {
      const networkRecords = movements.map((one) => ({
        source: sourceOf(one),
        destination: destinationOf(one),
        txHash,
        networkFee: '0.0021',
        assetId: one.assetId,
        netAmount: one.amount,
        isDropped: false,
        type: 'TRANSFER',
        destinationAddress: withChecksum(network, one.to),
      }));
      const coin = assetOf(catalogue.chains.get(network)?.native ?? '');
      return { ...several, operation: 'CONTRACT_CALL', ...coin, ...amountsOf('0'), destination, networkRecords };
    }
    const { to, tag = '' } = first;
    return { ...common, destination, destinationAddress: withChecksum(network, to), destinationTag: tag, index };
  }

  /** The record of a deposit as it is now. */
  return (
    deposit: Deposit,
    movements: readonly Movement[],
    index: number,
    created: Pick<TransactionRecord, 'id' | 'serial' | 'createdAt' | 'lastUpdated'>,
  ): TransactionRecord => {
    const { network, txHash = '', status = 'CONFIRMING', subStatus, confirmations, screening, fields } = deposit;
    const { id, serial, createdAt, lastUpdated } = created;
    const isMined = mined.includes(status);
    const shape = shapeOf(deposit, movements, index);
    const isOurs = shape.source.type === 'VAULT_ACCOUNT';
    const whole = {
      id,
      externalTxId: null,
      status,
      subStatus: subStatus ?? subStatuses[status] ?? '',
      // An outgoing transfer has a hash once it is CONFIRMING: Fireblocks, API reference, TransactionResponse.
      ...(isOurs && !isMined ? {} : { txHash }),
      operation: 'TRANSFER',
      note: '',
      destinations: [],
      networkRecords: [],
      ...shape,
      ...(isMined ? {} : { sourceAddress: '', destinationAddress: '' }),
      feeInfo: { networkFee: '0.0021' },
      feeCurrency: catalogue.chains.get(network)?.native,
      createdAt,
      lastUpdated,
      signedBy: [],
      ...(screening === undefined ? {} : screeningOf(screening, lastUpdated)),
      numOfConfirmations: confirmations ?? (status === 'COMPLETED' ? policyOf(network) : 0),
      blockInfo: isMined ? { blockHeight: String(60_000_000 + serial), blockHash: txHash } : {},
      addressType: '',
      ...fields,
    };
    const { source, destination, assetId } = shape;
    return { ...created, network, txHash, status, assetId, source, destination, text: JSON.stringify(whole) };
  };
}

/** Both forms of an amount: the numbers are deprecated, and inexact. */
function amountsOf(amount: string) {
  const number = Number(amount);
  const amountInfo = { amount, requestedAmount: amount, netAmount: amount };
  return { amountInfo, amount: number, requestedAmount: number, netAmount: number, amountUSD: null };
}

/** Fireblocks, API reference, ComplianceResults. */
function screeningOf(screeningStatus: string, timestamp: number) {
  const bypassed = screeningStatus === 'BYPASSED' ? { bypassReason: 'PASSED_BY_POLICY' } : {};
  const aml = { provider: 'CHAINALYSIS', timestamp, screeningStatus, status: screeningStatus, ...bypassed };
  return {
    complianceResults: { aml, status: aml.status === 'PENDING' ? 'AMLIncomingInBackground' : 'IncomingCompleted' },
  };
}
