import { createHash } from 'node:crypto';
import { formatAddress, type Network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type Catalogue, familyOf } from './catalogue.ts';
import { createRecords, type Deposit, type Movement, type Peer, type TransactionRecord } from './transaction-record.ts';
import type { createVaults } from './vaults.ts';

export type Change = Pick<Deposit, 'status' | 'subStatus' | 'confirmations' | 'screening' | 'fields'>;

interface Kept {
  record: TransactionRecord;
  deposit: Deposit;
  readonly movements: readonly Movement[];
  readonly index: number;
}

/** Each of these events contains the transaction (Fireblocks, Transaction events). */
export const transactionEvents: readonly string[] = [
  'transaction.created',
  'transaction.status.updated',
  'transaction.approval_status.updated',
  'transaction.network_records.processing_completed',
];

/** "Base 1, Solana 1, Stellar 1", not changeable: Fireblocks help centre 10883496786204. */
const fixedAtOne: readonly Network[] = ['BASE', 'SOLANA', 'STELLAR'];

interface TransactionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly seed: string;
  readonly catalogue: Catalogue;
  readonly vaults: ReturnType<typeof createVaults>;
  readonly policies: Partial<Readonly<Record<Network, number>>>;
  readonly notify: (eventType: string, record: TransactionRecord) => void;
}

export function createTransactions({ clock, seed, catalogue, vaults, policies, notify }: TransactionDeps) {
  const wrong = fixedAtOne.find((network) => (policies[network] ?? 1) !== 1);
  if (wrong !== undefined) throw new Error(`The confirmation policy of ${wrong} is fixed at 1.`);
  const policyOf = (network: Network) => policies[network] ?? 1;
  const renderRecord = createRecords({ catalogue, policyOf, destinationOf });
  const byId = new Map<string, Kept>();
  const byHash = new Map<string, Kept[]>();
  const byCreation: TransactionRecord[] = [];
  let serials = 0;

  const digestOf = (what: string) => createHash('sha256').update(`${seed} ${what} ${serials}`).digest();

  function makeHash(network: Network): string {
    const digest = digestOf('hash');
    // The formatter of Solana addresses writes base58.
    if (network === 'SUI') return formatAddress('SOLANA', digest);
    if (network === 'SOLANA') return formatAddress('SOLANA', Buffer.concat([digest, digest]));
    return `${familyOf(network) === 'EVM' ? '0x' : ''}${digest.toString('hex')}`;
  }

  /** A vault without a wallet of a native coin in the family sees no deposit: community.fireblocks.com 1383. */
  function isSeen(network: Network, { to }: Movement): boolean {
    const vault = vaults.ownerOf(to);
    if (vault === undefined) return true;
    const assets = [...vault.wallets.keys()].flatMap((assetId) => catalogue.asset(assetId) ?? []);
    return assets.some((one) => one.contract === undefined && familyOf(one.network) === familyOf(network));
  }

  /**
   * Returns the vault that a movement arrives in; for an address that no call has made, the default vault. A wallet of
   * a globally listed asset appears when something arrives: Fireblocks, documentation, Create direct custody wallets.
   */
  function destinationOf({ to, assetId, destination }: Movement): Peer {
    if (destination !== undefined) return destination;
    const [vault, asset] = [vaults.ownerOf(to), catalogue.asset(assetId)];
    if (vault !== undefined && asset !== undefined && asset.scope !== 'LOCAL') vaults.addWallet(vault, asset);
    return { type: 'VAULT_ACCOUNT', id: vault?.id ?? '0', name: vault?.name ?? 'Default' };
  }

  function add(deposit: Deposit, movements: readonly Movement[], index: number): TransactionRecord {
    serials += 1;
    const hex = digestOf('transaction').toString('hex');
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    const lastUpdated = clock.now().getTime();
    const created = { id, serial: serials, createdAt: deposit.createdAt ?? lastUpdated, lastUpdated };
    const record = renderRecord(deposit, movements, index, created);
    const kept: Kept = { record, deposit, movements, index };
    byId.set(id, kept);
    byHash.set(record.txHash, [...(byHash.get(record.txHash) ?? []), kept]);
    byCreation.splice(placeIn(byCreation, record.createdAt, serials), 0, record);
    notify('transaction.created', record);
    return record;
  }

  /** Changes a transaction. A new status comes with its own substatus, unless the change names one. */
  function change(id: string, what: Change): TransactionRecord {
    const kept = byId.get(id);
    if (kept === undefined) throw new Error(`There is no transaction ${id}.`);
    const { subStatus, ...rest } = kept.deposit;
    const keeps = what.status === undefined && subStatus !== undefined ? kept.deposit : rest;
    kept.deposit = { ...keeps, ...what, fields: { ...rest.fields, ...what.fields } };
    const { serial, createdAt } = kept.record;
    const updated = { id, serial, createdAt, lastUpdated: clock.now().getTime() };
    kept.record = renderRecord(kept.deposit, kept.movements, kept.index, updated);
    byCreation[placeIn(byCreation, createdAt, serial)] = kept.record;
    notify('transaction.status.updated', kept.record);
    return kept.record;
  }

  const recordsOf = (txHash: string) => (byHash.get(txHash) ?? []).map(({ record }) => record);

  return {
    /** In the order of their creation. */
    byCreation: byCreation as readonly TransactionRecord[],
    get: (id: string): TransactionRecord | undefined => byId.get(id)?.record,
    recordsOf,
    change,
    /** Returns the records that a deposit makes: none if no vault sees it. */
    deposit(deposit: Deposit): readonly TransactionRecord[] {
      const named = { ...deposit, txHash: deposit.txHash ?? makeHash(deposit.network) };
      const movements = named.movements.filter((movement) => isSeen(named.network, movement));
      if ((named.shape ?? 'RECORDS') === 'RECORDS') return movements.map((one, index) => add(named, [one], index));
      return movements.length === 0 ? [] : [add(named, movements, 0)];
    },
    /** Sets the confirmations. At the policy's number the record is COMPLETED, and the count stops. */
    confirm: (txHash: string, confirmations: number) =>
      recordsOf(txHash).map((record) => {
        const policy = policyOf(record.network);
        if (record.status !== 'CONFIRMING') return record;
        const status = confirmations >= policy ? 'COMPLETED' : 'CONFIRMING';
        return change(record.id, { status, confirmations: Math.min(confirmations, policy) });
      }),
  };
}

/** Returns the index of a record, or of a new one: sorted by creation, and within one millisecond by serial. */
export function placeIn(records: readonly TransactionRecord[], createdAt: number, serial: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = records[middle] as TransactionRecord;
    if (one.createdAt < createdAt || (one.createdAt === createdAt && one.serial < serial)) low = middle + 1;
    else high = middle;
  }
  return low;
}
