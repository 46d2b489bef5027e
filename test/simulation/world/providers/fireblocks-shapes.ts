import { createHash } from 'node:crypto';
import { Big } from 'big.js';
import { networkSpecs } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type CallFireblocks, createAskFireblocks } from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import {
  createFireblocksCustodian,
  type FireblocksCustodian,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-custodian.ts';
import type { HttpsAnswer } from '#shared/platform/call-https.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { mapValues } from '#shared/platform/collections.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { assetsOn } from '#test/simulation/world/script/assets.ts';

/** What the workspace has of its transfers, without the service's name before their ids. Times in milliseconds. */
interface Workspace {
  /** Answers late, or not at all. */
  readonly answered: <Answer>(work: () => Answer) => Promise<Answer>;
  readonly ofTransaction: (txHash: string, since: number) => readonly CustodianTransfer[];
  readonly ofRecord: (id: string) => readonly CustodianTransfer[];
  readonly created: (since: number, until: number) => readonly CustodianTransfer[];
}

/** Records of a page, of one transaction and of a list. */
const PAGE = 2;
const LONGER_PAGE = 20;

const answer = (status: number, body: object, headers: HttpsAnswer['headers'] = {}): HttpsAnswer => ({
  status,
  headers,
  text: JSON.stringify(body),
});

/** Where the count of confirmations stops, whatever is on the chain. */
const POLICY = 1;

/** Seconds of a pause that no answer asks for. */
const PAUSE = 2;

/** Assets of the world are named by their networks; each network has one that no setting names. */
const workspaceSetting = {
  networks: mapValues(networkSpecs, (_, network) => ({
    baseAsset: `${network}:native`,
    assets: assetsOn(network).map(({ custodianAssetId }) => custodianAssetId),
  })),
  callsPerMinute: 100_000,
  unknownHashesPercent: 50,
};

/**
 * The id of one of several movements of a record, none of which has one: by its address, asset and amount, and how many
 * that are alike are before it.
 */
export function movementId(
  record: string,
  { toAddress, assetId, amount }: Pick<CustodianTransfer, 'toAddress' | 'assetId' | 'amount'>,
  before: number,
): string {
  const address = toAddress.startsWith('0x') ? toAddress.toLowerCase() : toAddress;
  const moved = JSON.stringify([address, assetId, new Big(amount).toFixed()]);
  const digest = createHash('sha256').update(moved).digest('hex').slice(0, 16);
  return `${record}#${digest}.${before}`;
}

/** A record and its movements have one id before the `#`. */
export const recordOf = (id: string) => id.replace(/#.*$/, '');

/**
 * The custodian as Fireblocks says it, read by the service's own adapter: records with one movement or several, every
 * status and sub-status of theirs and words that are in no list, counts that stop at the policy, pages, and 429.
 */
export function speakFireblocks(
  { random, clock }: { readonly random: Random; readonly clock: Clock },
  faults: { readonly limited: number },
  workspace: Workspace,
): FireblocksCustodian {
  let pausedUntil = 0;
  const now = () => clock.now().getTime();

  const call: CallFireblocks = ({ path }) => workspace.answered(() => answerTo(path));

  const answerTo = (path: string): HttpsAnswer => {
    const { pathname, searchParams } = new URL(path, 'https://workspace');
    const [, , what = '', id] = pathname.split('/').map(decodeURIComponent);
    if (random.chance(faults.limited)) {
      const headers = random.chance(0.5) ? { 'retry-after': String(1 + random.below(60)) } : {};
      return answer(429, { message: 'Rate limit reached' }, headers);
    }
    if (what !== 'transactions') {
      const [blockchain] = (id ?? '').split(':');
      return answer(200, { blockchainId: blockchain, legacyId: blockchain });
    }
    if (id === undefined) return pageOf(searchParams);
    const [record] = recordsOf(workspace.ofRecord(id));
    return record === undefined ? answer(404, { message: 'Not found', code: 1404 }) : answer(200, record);
  };

  const pageOf = (asked: URLSearchParams): HttpsAnswer => {
    const [txHash, after, before] = [asked.get('txHash'), Number(asked.get('after')), Number(asked.get('before'))];
    const found = txHash === null ? workspace.created(after, before) : workspace.ofTransaction(txHash, after);
    const records = recordsOf(found);
    const from = Number(asked.get('next') ?? 0);
    const end = from + (txHash === null ? LONGER_PAGE : PAGE);
    return answer(200, records.slice(from, end), end < records.length ? { 'next-page': String(end) } : {});
  };

  const recordsOf = (transfers: readonly CustodianTransfer[]): readonly object[] => {
    const grouped = Map.groupBy(transfers, ({ custodianTransferId }) => recordOf(custodianTransferId));
    return [...grouped].map(([id, movements]) => recordWith(id, movements));
  };

  const recordWith = (id: string, movements: readonly CustodianTransfer[]): object => {
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
      source: { type: isFromCustodian === true ? random.pick(['GAS_STATION', 'VAULT_ACCOUNT']) : 'UNKNOWN' },
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
              // What goes elsewhere, and what was never in a block.
              { ...elsewhere, destinationAddress: fromAddress, destination: { type: 'UNKNOWN' } },
              { ...elsewhere, destinationAddress: first.toAddress, destination: inside, isDropped: true },
            ]),
          }
        : moved),
    };
  };

  /** The same decimal, as any of their texts. */
  const spelt = (amount: string) =>
    random.pick([amount, amount, amount.includes('.') ? `${amount}000` : `${amount}.000000`]);

  const inAnyOrder = <One>(all: readonly One[]): readonly One[] => (random.chance(0.5) ? all : all.toReversed());

  const statusOf = (state: CustodianTransfer['state']) => {
    const ended = random.pick([{}, { complianceResults: { aml: { screeningStatus: 'BYPASSED' } } }]);
    const said: Readonly<Record<CustodianTransfer['state'], readonly [object, ...object[]]>> = {
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
    return random.pick(said[state]);
  };

  const limits = {
    turn: async () => ({ pausedFor: Math.max(0, Math.ceil((pausedUntil - now()) / 1000)), refusals: 0, pausedUntil }),
    refused: async (_: unknown, asked?: number) => {
      const seconds = asked ?? PAUSE;
      pausedUntil = Math.max(pausedUntil, now() + seconds * 1000);
      return seconds;
    },
    accepted: async () => {},
    take: async () => 0,
  };
  const ask = createAskFireblocks({ call, limits, clock });
  return createFireblocksCustodian({ fireblocks: workspaceSetting, limits, ask });
}
