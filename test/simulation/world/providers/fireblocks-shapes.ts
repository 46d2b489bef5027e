import { createHash } from 'node:crypto';
import { Big } from 'big.js';
import * as z from 'zod/mini';
import { network, networkSpecs } from '#shared/networks/network.ts';
import {
  type Custodian,
  type CustodianTransfer,
  type ReturnOrder,
  SendingRefused,
} from '#shared/off-ramps/custodians/custodian.ts';
import { type CallFireblocks, createAskFireblocks } from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import {
  createFireblocksCustodian,
  type FireblocksCustodian,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-custodian.ts';
import { configuredNetworks } from '#shared/off-ramps/custodians/fireblocks/fireblocks-networks.ts';
import { fireblocksSender } from '#shared/off-ramps/custodians/fireblocks/fireblocks-sender.ts';
import type { HttpsAnswer } from '#shared/platform/call-https.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { mapValues } from '#shared/platform/collections.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { assetsOn } from '#test/simulation/world/script/assets.ts';
import { createFireblocksRecords, type FireblocksRecord } from './fireblocks-records.ts';
import { isSweep, type SaidSending } from './sendings.ts';

interface Manners {
  readonly faults: { readonly limited: number; readonly unlisted: number };
  readonly hasNoNextPage: boolean;
}

/** The workspace's transfers, with ids that lack the service's prefix. Times in milliseconds since 1970. */
interface Workspace {
  /** Answers late, or not at all. */
  readonly answered: <Answer>(work: () => Answer) => Promise<Answer>;
  readonly ofTransaction: (txHash: string, since: number) => readonly CustodianTransfer[];
  readonly ofRecord: (id: string) => readonly CustodianTransfer[];
  readonly created: (since: number, until: number) => readonly CustodianTransfer[];
  readonly sent: (which: (sending: SaidSending) => boolean) => readonly SaidSending[];
  /** @throws {SendingRefused} */
  readonly send: (order: ReturnOrder) => Promise<void>;
  readonly vaultAssets: () => readonly object[];
}

/** Records per page: of one transaction, of the list of all, and of incoming transfers. */
const PAGE = 2;
const PAGE_OF_ALL = 7;
const LONGER_PAGE = 20;

const answer = (status: number, body: object, headers: HttpsAnswer['headers'] = {}): HttpsAnswer => ({
  status,
  headers,
  text: JSON.stringify(body),
});

const NOT_FOUND = answer(404, { message: 'Not found', code: 1404 });

/** Seconds of a pause when the answer names none. */
const PAUSE = 2;

/** The world names assets by their networks. The base asset of a network is in no other setting. */
const workspaceSetting = {
  networks: mapValues(networkSpecs, (_, network) => ({
    baseAsset: `${network}:native`,
    assets: assetsOn(network).map(({ custodianAssetId }) => custodianAssetId),
  })),
  callsPerMinute: 100_000,
  unknownHashesPercent: 50,
};

/**
 * The id of one of several movements of a record, which have no ids of their own: made of its address, asset, amount,
 * and the number of equal movements before it.
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

const ordered = z.object({
  ...{ externalTxId: z.string(), assetId: z.string(), amount: z.string() },
  source: z.object({ id: z.string() }),
  destination: z.object({ oneTimeAddress: z.object({ address: z.string(), tag: z.optional(z.string()) }) }),
});

/** The custodian in Fireblocks' shapes, with pages, 429 and capped confirmations, read by the service's adapters. */
export function speakFireblocks(
  { random, clock }: { readonly random: Random; readonly clock: Clock },
  { faults, hasNoNextPage }: Manners,
  workspace: Workspace,
): FireblocksCustodian & Required<Pick<Custodian, 'send' | 'findSending'>> {
  let pausedUntil = 0;
  const now = () => clock.now().getTime();
  const { incomingOf, outgoingOf, insteadOf } = createFireblocksRecords(random);
  const configured = configuredNetworks(workspaceSetting);
  const networkOf = (assetId: string) => network.parse(configured(assetId));

  const call: CallFireblocks = ({ method, path, body }) =>
    method === 'POST' ? take(body ?? '') : workspace.answered(() => answerTo(path));

  /** Refuses an external id that it already has, even for the same order. */
  const take = async (body: string): Promise<HttpsAnswer> => {
    const { externalTxId: externalId, source, destination, ...what } = ordered.parse(JSON.parse(body));
    const { address, tag } = destination.oneTimeAddress;
    const to = { address, ...(tag !== undefined && { tag }) };
    if (workspace.sent(({ sent }) => sent.externalId === externalId).length > 0)
      return answer(400, { message: 'The external id is taken.', code: 1438 });
    try {
      await workspace.send({ ...what, network: networkOf(what.assetId), externalId, from: source.id, to });
    } catch (error) {
      if (error instanceof SendingRefused) return answer(400, { message: error.message, code: 1000 });
      throw error;
    }
    return answer(200, { id: externalId, status: 'SUBMITTED' });
  };

  const answerTo = (path: string): HttpsAnswer => {
    const { pathname, searchParams } = new URL(path, 'https://workspace');
    const [, , what = '', id, externalId] = pathname.split('/').map(decodeURIComponent);
    if (random.chance(faults.limited)) return askForPause();
    if (what === 'vault') return answer(200, workspace.vaultAssets());
    const [blockchain] = (id ?? '').split(':');
    if (what !== 'transactions') return answer(200, { blockchainId: blockchain, legacyId: blockchain });
    if (id === undefined) return pageOf(searchParams);
    const [record] = externalId === undefined ? recordsOf(id) : leftOf(({ sent }) => sent.externalId === externalId);
    return record === undefined ? NOT_FOUND : answer(200, record);
  };

  const askForPause = () => {
    const headers = random.chance(0.5) ? { 'retry-after': String(1 + random.below(60)) } : {};
    return answer(429, { message: 'Rate limit reached' }, headers);
  };

  const leftOf = (which: (sending: SaidSending) => boolean) => workspace.sent(which).map(outgoingOf);

  const recordsOf = (id: string) => [
    ...incomingOf(workspace.ofRecord(id)),
    ...leftOf(({ sent }) => sent.movementId === id),
  ];

  const pageOf = (asked: URLSearchParams): HttpsAnswer => {
    const number = (name: string) => Number(asked.get(name) ?? 0);
    const [after, before, from] = [number('after'), number('before'), number('next')];
    const [txHash, account] = [asked.get('txHash'), asked.get('sourceId')];
    if (txHash !== null) return ofTransaction(txHash, after, from);
    if (account !== null) return answer(200, completedOf(account, after));
    if (random.chance(faults.unlisted)) return answer(503, {});
    const came = incomingOf(workspace.created(after, before));
    const toVaults = asked.has('destType');
    const left = leftOf(({ sent }) => after < sent.takenAt && sent.takenAt < before && (isSweep(sent) || !toVaults));
    return listOf([...came, ...left], from, toVaults && !hasNoNextPage ? LONGER_PAGE : PAGE_OF_ALL);
  };

  const ofTransaction = (txHash: string, after: number, from: number): HttpsAnswer => {
    const left = leftOf(({ sent, phase }) => phase.txHash === txHash && sent.takenAt > after);
    const records = [...incomingOf(workspace.ofTransaction(txHash, after)), ...left];
    const end = from + PAGE;
    return answer(200, records.slice(from, end), end < records.length ? { 'next-page': String(end) } : {});
  };

  /** Pages by time: records of one millisecond are never on two pages. Without `next-page`, pages are full. */
  const listOf = (all: readonly FireblocksRecord[], from: number, most: number): HttpsAnswer => {
    const left = all
      .filter(({ createdAt }) => createdAt >= from)
      .toSorted((one, other) => one.createdAt - other.createdAt);
    if (hasNoNextPage) return answer(200, left.slice(0, most));
    const next = left.find(({ createdAt }, place) => place >= most && createdAt !== left[place - 1]?.createdAt);
    const page = next === undefined ? left : left.slice(0, left.indexOf(next));
    return answer(200, page, next === undefined ? {} : { 'next-page': String(next.createdAt) });
  };

  /** The completed transactions of an account, and those that have used the nonces of others. */
  const completedOf = (account: string, after: number): readonly FireblocksRecord[] => {
    const ofIt = workspace.sent(({ sent }) => sent.order.from === account && sent.takenAt > after);
    const replaced = ofIt.filter(({ phase }) => phase.state === 'FAILED' && phase.txHash && !phase.mayStillArrive);
    return [...ofIt.filter(({ phase }) => phase.state === 'COMPLETED').map(outgoingOf), ...replaced.map(insteadOf)];
  };

  const limits = {
    readPause: async () => {
      const pausedFor = Math.max(0, Math.ceil((pausedUntil - now()) / 1000));
      return { pausedFor, refusals: 0, pausedUntil };
    },
    recordRefusal: async (_: unknown, asked?: number) => {
      const seconds = asked ?? PAUSE;
      pausedUntil = Math.max(pausedUntil, now() + seconds * 1000);
      return seconds;
    },
    recordAcceptance: async () => {},
    take: async () => 0,
  };
  const ask = createAskFireblocks({ call, limits, clock });
  const used = { fireblocks: workspaceSetting, limits, ask };
  const paging = hasNoNextPage ? { pageSize: PAGE_OF_ALL } : {};
  return { ...createFireblocksCustodian({ ...used, ...paging }), ...fireblocksSender(used) };
}
