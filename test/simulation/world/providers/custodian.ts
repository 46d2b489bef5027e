import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { formatAddress, type Network } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import {
  type Custodian,
  type CustodianTransfer,
  CustodianUnavailable,
  type NotifiedTransfer,
  notified,
  type ReturnOrder,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import { accountOf } from '#test/simulation/books/fits.ts';
import type { TrueSending } from '#test/simulation/books/truth.ts';
import { type Chain, type ChainTransfer, transferAt } from '#test/simulation/world/chain/chain.ts';
import type { CustodianFaults, CustodianManners } from './custodian-faults.ts';
import { recordOf, vaultAssetOf } from './fireblocks-records.ts';
import { speakFireblocks } from './fireblocks-shapes.ts';
import { arrive, balancesOf, createMovements, type Movements, sumPending } from './movements.ts';
import {
  createSendings,
  isSweep,
  type SendingFaults,
  type SendingManners,
  type SendingMembers,
  type Sendings,
  treasuryAccount,
} from './sendings.ts';
import { createSignature } from './signature.ts';
import { inCapitals } from './spelling.ts';

/** Milliseconds. */
const LONGEST_ANSWER = 8000;
const STALEST = 120_000;

/** Transfers per page. */
const PAGE = 20;

export const custodianSignature = createSignature('custodian-signature', 'custodian');

const notification = z.object({ type: z.string(), transfer: z.optional(notified) });

/** The prefix of the custodian's ids in the service. The world uses it too, so that a transfer has one id. */
export const CUSTODIAN = 'custodian';

const ownId = (custodianTransferId: string) => custodianTransferId.slice(`${CUSTODIAN}:`.length);

/** Returns the custodian's notification of a transfer: it names the transfer, its transaction, or both. */
export function custodianNotification(
  { custodianTransferId: id, network, txHash }: NotifiedTransfer,
  naming: 'ALL' | 'ID' | 'HASH',
): string {
  const custodianTransferId = ownId(id);
  const named = {
    ALL: { custodianTransferId, network, txHash },
    ID: { custodianTransferId },
    HASH: { network, txHash },
  };
  const transfer = named[naming];
  return JSON.stringify({ type: 'TRANSFER', transfer });
}

/** The members of a custodian that the simulation implements. */
export type CustodianMembers =
  | keyof SendingMembers
  | keyof Movements
  | 'findTransfers'
  | 'findTransfer'
  | 'listTransfers'
  | 'readNotification'
  | 'assignDepositAddress';

export interface SimulatedCustodian extends Required<Pick<Custodian, CustodianMembers>> {
  readonly name: string;
  readonly sendings: Sendings;
  /** The number of look-ups, by hash. */
  readonly calls: ReadonlyMap<string, number>;
}

/** Knows every transfer into its assigned accounts; reports it late, slowly or never, and corrects wrong reports. */
export function createCustodian(
  host: Host,
  chain: Chain,
  faults: CustodianFaults & SendingFaults,
  manners: CustodianManners & SendingManners,
  onOrder: (order: ReturnOrder) => void,
): SimulatedCustodian {
  const { schedule, random, trace } = host;
  const calls = new Map<string, number>();
  const assigned = new Map<string, AccountAddress>();
  /** Assigned accounts. An EVM account has the same address on every EVM network. */
  const accounts = new Set<string>();
  const now = () => schedule.clock.now().getTime();

  async function answered<Answer>(work: () => Answer): Promise<Answer> {
    await schedule.turn('REQUEST');
    if (random.chance(faults.slow)) await schedule.clock.sleep(random.below(LONGEST_ANSWER));
    const answer = work();
    await schedule.turn('ANSWER');
    if (random.chance(faults.unavailable)) throw new CustodianUnavailable('No answer.');
    return answer;
  }

  function assign(operationId: string, network: Network): AccountAddress {
    const key = createHash('sha256').update(`${network}:${operationId}`).digest();
    if (network !== 'STELLAR' || !random.chance(manners.sharedAccount)) return { address: formatAddress(network, key) };
    const account = createHash('sha256').update(`the account of all on ${network}`).digest();
    const address = formatAddress(network, account);
    const isItself = !accounts.has(accountOf(address)) && random.chance(manners.wholeAccount);
    return isItself ? { address } : { address, tag: key.readUInt32BE(0).toString() };
  }

  /** The transfers into assigned accounts, as of now or of a moment ago. */
  function say(transfers: readonly ChainTransfer[]): readonly CustodianTransfer[] {
    const time = random.chance(faults.stale) ? now() - random.below(STALEST) : now();
    return transfers
      .filter(({ facts }) => accounts.has(accountOf(facts.toAddress)))
      .map((transfer) => transferAt(transfer, time))
      .filter((transfer) => transfer !== undefined)
      .map((transfer) => ({ ...transfer, custodianTransferId: ownId(transfer.custodianTransferId) }))
      .map((transfer) => (random.chance(manners.otherSpelling) ? inCapitals(transfer) : transfer));
  }

  const sentSince = (txHash: string, since: number): readonly ChainTransfer[] =>
    chain.all.filter(({ facts, sentAt }) => facts.txHash === txHash && sentAt >= since);

  const createdIn = (since: number, until: number): readonly ChainTransfer[] =>
    chain.all.filter(({ phases: [first] }) => first !== undefined && first.at >= since && first.at <= until);

  const isFireblocks = manners.isFireblocks > 0;
  const onTaken = (sent: TrueSending) => isFireblocks && isSweep(sent) && arrive(chain, sent);
  const sendings = createSendings(host, { answered, faults, manners, onOrder, onTaken });
  const { send, findSending, findOutgoing, said: sent } = sendings;
  const isOurs = ({ facts }: ChainTransfer) =>
    accounts.has(accountOf(facts.toAddress)) || facts.toAddress === treasuryAccount(facts.network);
  const has = () => balancesOf(chain.all.filter(isOurs), sendings, now());
  const pendingOf = (asset: string) => sumPending(chain.all.filter(isOurs), asset, now());
  const movements = createMovements(host, { answered, faults, isOurs, say, chain, sendings, has });

  const plain: Omit<SimulatedCustodian, 'name' | 'sendings' | 'calls' | 'readNotification' | 'assignDepositAddress'> = {
    findTransfers: ({ network, txHash, since }) =>
      answered(() => {
        const found = say(sentSince(txHash, Date.parse(since))).filter((one) => one.network === network);
        trace(() => `custodian finds ${txHash}: ${found.map(({ state }) => state).join(', ') || 'nothing'}`);
        return found;
      }),
    findTransfer: ({ custodianTransferId: id }) =>
      answered(() => say(chain.all.filter(({ facts }) => ownId(facts.custodianTransferId) === id))[0]),
    listTransfers: ({ createdSince, until, cursor = '0' }) =>
      answered(() => {
        const created = createdIn(Date.parse(createdSince), Date.parse(until));
        if (random.chance(faults.unlisted)) throw new CustodianUnavailable('No list.');
        const [start, end] = [Number(cursor), Number(cursor) + PAGE];
        return { transfers: say(created.slice(start, end)), cursor: end < created.length ? String(end) : undefined };
      }),
    ...movements,
    ...{ send, findSending, findOutgoing },
  };
  const search = isFireblocks
    ? speakFireblocks(
        { random, clock: schedule.clock },
        { faults, hasNoNextPage: manners.hasNoNextPage > 0 },
        {
          answered,
          ofTransaction: (txHash, since) => say(sentSince(txHash, since)),
          ofRecord: (id) => say(chain.all.filter(({ facts }) => recordOf(ownId(facts.custodianTransferId)) === id)),
          created: (since, until) => say(createdIn(since, until)),
          ...{ sent, send },
          vaultAssets: () => [...has()].map(([asset, there]) => vaultAssetOf(asset, there, pendingOf(asset))),
        },
      )
    : plain;

  return {
    name: CUSTODIAN,
    calls,
    sendings,
    ...search,
    findTransfers: (query) => {
      calls.set(query.txHash, (calls.get(query.txHash) ?? 0) + 1);
      return search.findTransfers(query);
    },
    assignDepositAddress: ({ operationId, network }) =>
      answered(() => {
        const address = assigned.get(operationId) ?? assign(operationId, network);
        assigned.set(operationId, address);
        accounts.add(accountOf(address.address));
        return address;
      }),
    async readNotification({ rawBody, headers }) {
      custodianSignature.verify(rawBody, headers);
      const { transfer } = notification.parse(JSON.parse(rawBody.toString()));
      return transfer === undefined ? [] : [transfer];
    },
  };
}
