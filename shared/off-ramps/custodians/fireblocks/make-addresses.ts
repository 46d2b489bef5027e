import * as z from 'zod/mini';
import { type Network, network, networkSpecs, parseAddress } from '#shared/networks/network.ts';
import type { PooledAddress, UnfinishedEntry } from '#shared/off-ramps/custodians/address-pool.ts';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { KeepVault, MakeResult } from '#shared/off-ramps/custodians/fill-pools.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { digestId } from '#shared/platform/ids.ts';
import { log } from '#shared/platform/logger.ts';
import { poolOf } from './fireblocks-addresses.ts';
import { type AskFireblocks, type FireblocksAnswer, FireblocksRefused } from './fireblocks-client.ts';
import type { FireblocksSetting } from './fireblocks-settings.ts';

interface Wallet {
  readonly network: Network;
  /** The base asset: without its wallet the vendor does not see deposits to the vault. */
  readonly asset: string;
}

export interface VaultPool {
  readonly name: string;
  readonly size: number;
  readonly networks: readonly Network[];
  /** The wallets that each vault gets. */
  readonly wallets: readonly Wallet[];
}

/** The pools of a workspace whose entries are vaults: one vault serves all EVM networks. */
export function vaultPoolsOf({ networks, poolSize }: FireblocksSetting): readonly VaultPool[] {
  const wallets = network.options.flatMap((name) => {
    const { baseAsset } = networks[name] ?? {};
    const hasVaults = baseAsset !== undefined && !networkSpecs[name].family.hasTags;
    return hasVaults ? { network: name, asset: baseAsset } : [];
  });
  const byPool = Map.groupBy(wallets, (one) => poolOf(one.network));
  return [...byPool].map(([name, ofPool]) => {
    const ofWallets = ofPool.map((one) => one.network);
    return { name, size: poolSize, networks: ofWallets, wallets: ofPool };
  });
}

/**
 * Tries that use the same idempotency key: the vendor replays its first answer, so nothing is made twice. After an
 * internal error the vendor refuses the key for a day, so later tries need another key (Fireblocks, API idempotency).
 */
const TRIES_PER_KEY = 3;

/** The idempotency key of one step, within the vendor's 40 characters. */
const keyOf = ({ id }: UnfinishedEntry, step: string, attempt: number) => digestId(`${id} ${step} ${attempt}`);

const attemptOf = ({ tries }: UnfinishedEntry) => Math.floor((tries - 1) / TRIES_PER_KEY);

/** @throws {CustodianUnavailable} */
function understood<Schema extends z.ZodMiniType>(schema: Schema, { body }: FireblocksAnswer): z.infer<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error !== undefined) throw new CustodianUnavailable('The answer of Fireblocks cannot be read.');
  return data;
}

const vaultId = z.string().check(z.regex(/^\d{1,15}$/));
const vault = z.object({ id: vaultId, name: z.string() });
const vaults = z.object({ accounts: z.array(vault) });
const wallet = z.object({ address: z.string(), status: z.optional(z.nullable(z.string())) });
const addressOfVault = z.object({
  address: z.string(),
  tag: z.optional(z.nullable(z.string())),
  description: z.optional(z.nullable(z.string())),
});
const page = z.object({
  addresses: z.array(addressOfVault),
  paging: z.optional(z.object({ after: z.optional(z.nullable(z.string())) })),
});

/**
 * Makes the vault of an entry and its wallets (Fireblocks, API reference, Vaults). The vault's name is the id of the
 * entry, by which it is found again.
 */
export function createMakeVault(ask: AskFireblocks) {
  const findByName = async (name: string): Promise<string | undefined> => {
    const found = await ask({ method: 'GET', path: `/v1/vault/accounts_paged?namePrefix=${name}&limit=100` });
    const named = understood(vaults, found).accounts.filter((one) => one.name === name);
    const ids = named.map(({ id }) => id).toSorted((one, other) => Number(one) - Number(other));
    // Names are not unique. The other vaults stay empty: their addresses are never assigned.
    if (ids.length > 1) log.warn('VAULT_MADE_TWICE', { entryId: name, vaultIds: ids.join() });
    return ids[0];
  };

  const vaultOf = async (entry: UnfinishedEntry): Promise<string> => {
    const isFirstTry = entry.tries === 1;
    const found = isFirstTry ? undefined : await findByName(entry.id);
    if (found !== undefined) return found;
    const made = await ask({
      method: 'POST',
      path: '/v1/vault/accounts',
      body: JSON.stringify({ name: entry.id, hiddenOnUI: true }),
      idempotencyKey: keyOf(entry, 'vault', attemptOf(entry)),
    });
    const { id } = understood(vault, made);
    return isFirstTry ? id : ((await findByName(entry.id)) ?? id);
  };

  const post = (entry: UnfinishedEntry, path: string, step: string, attempt: number) =>
    ask({ method: 'POST', path, body: '{}', idempotencyKey: keyOf(entry, step, attempt) });

  /** Makes a wallet. Returns its address, and whether it still waits for a transaction of its own chain. */
  const walletOf = async (id: string, { asset }: Wallet, entry: UnfinishedEntry) => {
    const path = `/v1/vault/accounts/${id}/${asset}`;
    let made: z.infer<typeof wallet>;
    try {
      made = understood(wallet, await post(entry, path, asset, attemptOf(entry)));
    } catch (error) {
      if (!(error instanceof FireblocksRefused) || entry.tries === 1) throw error;
      // The wallet may exist since an earlier try.
      const [own] = understood(page, await ask({ method: 'GET', path: `${path}/addresses_paginated` })).addresses;
      if (own === undefined) throw error;
      made = { address: own.address };
    }
    if (!isPending(made)) return made;
    return understood(wallet, await post(entry, `${path}/activate`, `activate ${asset}`, entry.tries));
  };

  return async (entry: UnfinishedEntry, pool: VaultPool, keepVault: KeepVault): Promise<MakeResult> => {
    const id = entry.vaultId ?? (await vaultOf(entry));
    if (entry.vaultId === undefined) await keepVault(id);
    const wallets: z.infer<typeof wallet>[] = [];
    for (const one of pool.wallets) wallets.push(await walletOf(id, one, entry));
    if (wallets.some(isPending)) return { notYet: 'A wallet waits for a transaction of its own chain.' };
    const [first, ...others] = pool.wallets.map((one, at) => parseAddress(one.network, wallets[at]?.address ?? ''));
    if (first === undefined || others.some((other) => other?.address !== first.address))
      return { fault: 'Its wallets have no address, or different ones.' };
    return { address: first.address };
  };
}

/** The vendor lists no values: PENDING_ACTIVATION is its example (Fireblocks, API reference, CreateVaultAssetResponse). */
const isPending = ({ status }: z.infer<typeof wallet>) => status?.startsWith('PENDING') ?? false;

/** The account whose address has a tag for each operation. */
export interface TagPool {
  readonly name: string;
  readonly size: number;
  readonly networks: readonly [Network];
  readonly vaultId: string;
  readonly asset: string;
}

export function tagPoolsOf({ networks, poolSize, stellarVault }: FireblocksSetting): readonly TagPool[] {
  const served = networks.STELLAR;
  if (served === undefined || stellarVault === undefined) return [];
  const of = { networks: ['STELLAR'], vaultId: stellarVault, asset: served.baseAsset } as const;
  return [{ name: poolOf('STELLAR'), size: poolSize, ...of }];
}

/** Milliseconds for which the vendor keeps an idempotency key, less an hour. */
const KEY_LIVES = 23 * 3600_000;

/** The most pages that are searched for a tag. */
const MOST_PAGES = 20;

/** A tag is an unsigned number of 64 bits: the memo id of Stellar. */
const isTag = (text: string) => /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n;

/**
 * Makes the tag of an entry, whose id is the tag's description (Fireblocks, API reference, Create a new asset deposit
 * address). A tag that was made but is not found again costs nothing: it is never assigned.
 */
export function createMakeTag(ask: AskFireblocks, clock: Clock) {
  const findByDescription = async (path: string, id: string) => {
    let query = '';
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await ask({ method: 'GET', path: `${path}/addresses_paginated${query}` });
      const { addresses, paging } = understood(page, answer);
      const found = addresses.find(({ description }) => description === id);
      if (found !== undefined || !paging?.after) return found;
      query = `?after=${encodeURIComponent(paging.after)}`;
    }
    return undefined;
  };

  return async (entry: UnfinishedEntry, { networks: [of], vaultId: id, asset }: TagPool): Promise<MakeResult> => {
    const path = `/v1/vault/accounts/${id}/${asset}`;
    const isReplayed = attemptOf(entry) === 0 && clock.now().getTime() < Date.parse(entry.begunAt) + KEY_LIVES;
    const found = isReplayed ? undefined : await findByDescription(path, entry.id);
    const made =
      found ??
      understood(
        addressOfVault,
        await ask({
          method: 'POST',
          path: `${path}/addresses`,
          body: JSON.stringify({ description: entry.id }),
          idempotencyKey: keyOf(entry, 'tag', attemptOf(entry)),
        }),
      );
    return pooled(of, made) ?? { fault: 'Its address or its tag is invalid.' };
  };
}

function pooled(of: Network, { address, tag }: z.infer<typeof addressOfVault>): PooledAddress | undefined {
  const parsed = parseAddress(of, address);
  if (parsed === undefined || parsed.tag !== undefined || tag == null || !isTag(tag)) return undefined;
  return { address: parsed.address, tag };
}
