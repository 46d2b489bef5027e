import { normaliseTransactionHash } from '#shared/networks/network.ts';
import {
  type Custodian,
  type CustodianTransfer,
  CustodianUnavailable,
  type ListMovements,
} from '#shared/off-ramps/custodians/custodian.ts';
import { createTakeShare } from '#shared/off-ramps/custodians/hash-shares.ts';
import { amountDifference, readAmount } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { ProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { type AskFireblocks, fireblocksAs, undefinedIfNotFound } from './fireblocks-client.ts';
import { createFindNetworks } from './fireblocks-networks.ts';
import { outgoingOf } from './fireblocks-outgoing.ts';
import type { FireblocksSetting } from './fireblocks-settings.ts';
import { transactionIdOf, transfersOf, VAULT_ACCOUNT } from './fireblocks-transfers.ts';

export type FireblocksCustodian = Required<
  Pick<
    Custodian,
    'findTransfers' | 'findTransfer' | 'listTransfers' | 'findOutgoing' | 'listMovements' | 'readBalances'
  >
>;

/** Fireblocks as the custodian, from the settings of a function. */
export function createFireblocksSearch(clock: Clock): FireblocksCustodian {
  return createFireblocksCustodian(fireblocksAs('reader', clock));
}

interface Dependencies {
  readonly fireblocks: Pick<FireblocksSetting, 'networks' | 'callsPerMinute' | 'unknownHashesPercent'>;
  readonly limits: Pick<ProviderLimits, 'take'>;
  readonly ask: AskFireblocks;
  /** The most transactions in a page of a list. The simulation sets fewer, so that its short lists fill pages. */
  readonly pageSize?: number;
}

/** The most transactions that Fireblocks returns in a page. */
export const PAGE = 500;

/** The most pages of one transaction: more movements than fit in any block. */
const MOST_PAGES = 20;

export function createFireblocksCustodian({
  fireblocks,
  limits,
  ask,
  pageSize = PAGE,
}: Dependencies): FireblocksCustodian {
  const findNetworks = createFindNetworks(fireblocks, ask);
  const takeShare = createTakeShare(limits, fireblocks);

  const readAll = async (records: readonly unknown[]) => {
    const networkOf = await findNetworks(records.flatMap(assetsOf));
    return {
      incoming: records.flatMap((one) => transfersOf(one, networkOf)),
      outgoing: records.flatMap((one) => outgoingOf(one, networkOf)),
    };
  };
  const read = async (records: readonly unknown[]) => (await readAll(records)).incoming;

  /** Reads a page, and the cursor of the next one. */
  const askForPage = async (query: Readonly<Record<string, string>>, cursor: string | undefined) => {
    const { body, headers, text } = await ask({ method: 'GET', path: pathOf(query, cursor) });
    if (!Array.isArray(body)) throw new CustodianUnavailable('Fireblocks answers no list of transactions.');
    const next = headers['next-page'];
    return { records: body, text, cursor: typeof next === 'string' && next !== '' ? next : undefined };
  };

  const recordsOf = async (txHash: string, since: string) => {
    const query = { txHash, after: String(Date.parse(since)), limit: String(PAGE) };
    const records: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      if (pages === MOST_PAGES) throw new CustodianUnavailable('Fireblocks answers pages without an end.');
      const page = await askForPage(query, cursor);
      records.push(...page.records);
      cursor = page.cursor;
    }
    return records;
  };

  const list = async ({ createdSince, until, cursor }: Parameters<ListMovements>[0], only: Record<string, string>) => {
    const from = instantOf(cursor);
    // It is not documented whether the bounds are inclusive, so they are a millisecond wider and the page is filtered.
    const [after, before] = [String((from ?? Date.parse(createdSince)) - 1), String(Date.parse(until) + 1)];
    const order = { ...only, orderBy: 'createdAt', sort: 'ASC', limit: String(pageSize) };
    const page = await askForPage({ ...order, after, before }, from === undefined ? cursor : undefined);
    const hasNextPage = from === undefined && page.cursor !== undefined;
    const to = hasNextPage || page.records.length < pageSize ? undefined : createdOf(page.records.at(-1));
    const isInside = ({ createdAt }: { readonly createdAt: string }) =>
      typeof createdAt !== 'string' || (createdAt >= createdSince && createdAt <= until);
    const { incoming, outgoing } = await readAll(page.records.filter(isCreatedIn(from, to)));
    const inside = { incoming: incoming.filter(isInside), outgoing: outgoing.filter(isInside) };
    return { ...inside, text: page.text, cursor: to === undefined ? page.cursor : `${FROM}${to}` };
  };

  return {
    findTransfers: async (query) => {
      await takeShare(query);
      const { network, txHash, since } = query;
      const records = await recordsOf(txHash, since);
      const hashOf = (text: unknown) => normaliseTransactionHash(network, String(text));
      // A record may have movements of several transactions. Those of others are dropped only if the record has one of
      // this transaction, too: a record without any is no answer.
      const about = new Set(
        records
          .filter((one) => hashesOf(one).some((text) => hashOf(text) === txHash))
          .map((one) => String(Object(one).id)),
      );
      // The same hash on another network is another transaction.
      const isOther = ({ custodianTransferId: id, ...one }: CustodianTransfer) =>
        one.network === network
          ? ![undefined, txHash].includes(hashOf(one.txHash)) && about.has(transactionIdOf(String(id)))
          : one.network in fireblocks.networks;
      return (await read(records)).filter((one) => !isOther(one));
    },

    findTransfer: async ({ custodianTransferId }) => {
      const id = transactionIdOf(custodianTransferId);
      const record = await undefinedIfNotFound(
        ask({ method: 'GET', path: `/v1/transactions/${encodeURIComponent(id)}` }),
      );
      if (record === undefined) return undefined;
      if (Object(record.body).id !== id)
        throw new CustodianUnavailable('Fireblocks answers about another transaction.');
      return (await read([record.body])).find((one) => one.custodianTransferId === custodianTransferId);
    },

    listTransfers: async (query) => {
      if (query.createdSince > query.until) return { transfers: [] };
      const { incoming: transfers, cursor } = await list(query, { destType: VAULT_ACCOUNT });
      return { transfers, cursor };
    },

    findOutgoing: async ({ network, txHash, since }) => {
      const { outgoing } = await readAll(await recordsOf(txHash, since));
      // The same hash on another network is another transaction.
      return outgoing.filter((one) => one.network === network || !(one.network in fireblocks.networks));
    },

    listMovements: async (query) => {
      if (query.createdSince > query.until) return { incoming: [], outgoing: [], answer: '[]' };
      const { text: answer, ...page } = await list(query, {});
      return { ...page, answer };
    },

    readBalances: async () => {
      const { body } = await ask({ method: 'GET', path: '/v1/vault/assets' });
      if (!Array.isArray(body)) throw new CustodianUnavailable('Fireblocks answers no list of balances.');
      return body.map((one: unknown) => ({ assetId: Object(one).id, amount: arrivedOf(Object(one)) }));
    },
  };
}

/**
 * Returns the balance that has arrived for good: `total`, which is the balance on the chain with frozen money, less
 * `pending`, which it also includes (Fireblocks, VaultAsset). Returns an empty text, which is no valid amount, when
 * these cannot be read.
 */
function arrivedOf({ total, pending }: Record<string, unknown>): string {
  const underWay = pending ?? '0';
  return isDecimal(total) && isDecimal(underWay) ? amountDifference(total, underWay) : '';
}

const isDecimal = (text: unknown): text is string =>
  typeof text === 'string' && readAmount(text.replace(/^-/, '')) !== undefined;

const assetsOf = (record: unknown) => valuesOf(record, 'assetId');
const hashesOf = (record: unknown) => valuesOf(record, 'txHash');

/** Returns the values of a field in a record and in each of its movements. */
function valuesOf(record: unknown, field: 'assetId' | 'txHash'): readonly unknown[] {
  const { [field]: value, networkRecords } = Object(record);
  const several: readonly unknown[] = Array.isArray(networkRecords) ? networkRecords : [];
  return [value, ...several.map((one): unknown => Object(one)[field])];
}

/**
 * `next-page` has a cursor (Fireblocks, List transactions), or the URL of the page, as their earlier library reads it.
 * Of a URL only path and query are used, so that no answer can choose a server.
 */
function pathOf(query: Readonly<Record<string, string>>, cursor: string | undefined): string {
  const path = '/v1/transactions?';
  const at = cursor?.indexOf(path) ?? -1;
  if (cursor !== undefined && at >= 0) return cursor.slice(at);
  return path + new URLSearchParams({ ...query, ...(cursor !== undefined && { next: cursor }) }).toString();
}

/** The prefix of our own cursors, followed by the creation time, in milliseconds, at which the page begins. */
const FROM = 'createdAt>=';

const instantOf = (cursor: string | undefined) =>
  cursor?.startsWith(FROM) === true ? Number(cursor.slice(FROM.length)) : undefined;

const createdOf = (record: unknown) => Number(Object(record).createdAt);

/**
 * Selects the records of a page by their creation. A sorted list has no `next-page` (their support to an integrator,
 * July 2026; the reference says that it has one). So a full page without it is followed by a page from its last
 * millisecond. The records of that millisecond may be incomplete, and are left to the next page.
 *
 * @throws {CustodianUnavailable} when the next page would be the same again
 */
function isCreatedIn(from: number | undefined, to: number | undefined): (record: unknown) => boolean {
  if (to !== undefined && !(to > (from ?? 0)))
    throw new CustodianUnavailable('Fireblocks answers pages without an end.');
  return (record) => {
    const created = createdOf(record);
    return !(created < (from ?? 0)) && !(to !== undefined && created >= to);
  };
}
