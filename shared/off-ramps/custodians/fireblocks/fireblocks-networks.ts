import * as z from 'zod/mini';
import { type AskFireblocks, FireblocksRefused } from './fireblocks-client.ts';
import type { FireblocksSetting } from './fireblocks-settings.ts';
import type { NetworkOf } from './fireblocks-transfers.ts';

/** Finds the network of an asset by its legacy id, from the stage's settings alone. */
export function configuredNetworks({ networks }: Pick<FireblocksSetting, 'networks'>): NetworkOf {
  const byAsset = new Map<unknown, string>(
    Object.entries(networks).flatMap(([network, { baseAsset, assets }]) =>
      [baseAsset, ...assets].map((one) => [one, network] as const),
    ),
  );
  return (assetId) => byAsset.get(assetId);
}

/** The most ids that a process caches: outsiders who list assets decide how many there are. */
const MOST_REMEMBERED = 1000;

const onBlockchain = z.object({ blockchainId: z.string() });

const named = z.object({ legacyId: z.string() });

/**
 * Finds the networks of assets, also of assets that no setting names. Such an asset is on the network whose base asset
 * has the same blockchain; without one, the blockchain's own name is returned, which is no network of ours. Both calls
 * accept legacy ids (Fireblocks, Get an asset).
 */
export function createFindNetworks(setting: Pick<FireblocksSetting, 'networks'>, ask: AskFireblocks) {
  const configured = configuredNetworks(setting);
  const found = new Map<string, string>();

  /** Caches answers, not calls under way: a call whose function was stopped would never end. */
  const once = async (path: string, find: () => Promise<string | undefined>) => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const answer = await find();
    // Not cached: an asset may be listed later.
    if (answer === undefined) return undefined;
    if (found.size >= MOST_REMEMBERED) found.clear();
    found.set(path, answer);
    return answer;
  };

  /** Returns `undefined` for an id that Fireblocks does not have, or refuses to show. */
  const read = async (path: string): Promise<unknown> => {
    try {
      return (await ask({ method: 'GET', path })).body;
    } catch (error) {
      if (error instanceof FireblocksRefused) return undefined;
      throw error;
    }
  };

  const blockchainOf = (assetId: string) => {
    const path = `/v1/assets/${encodeURIComponent(assetId)}`;
    return once(path, async () => onBlockchain.safeParse(await read(path)).data?.blockchainId);
  };

  const nameOf = (blockchainId: string) => {
    const path = `/v1/blockchains/${encodeURIComponent(blockchainId)}`;
    return once(path, async () => {
      const name = named.safeParse(await read(path)).data?.legacyId;
      return name && `blockchain:${name}`;
    });
  };

  const networkOf = async (assetId: string): Promise<string | undefined> => {
    const blockchain = await blockchainOf(assetId);
    if (blockchain === undefined) return undefined;
    for (const [network, { baseAsset }] of Object.entries(setting.networks)) {
      if ((await blockchainOf(baseAsset)) === blockchain) return network;
    }
    return nameOf(blockchain);
  };

  /** @throws {CustodianUnavailable} */
  return async (assetIds: readonly unknown[]): Promise<NetworkOf> => {
    const networks = new Map<unknown, string | undefined>();
    for (const assetId of new Set(assetIds)) {
      if (typeof assetId !== 'string') continue;
      networks.set(assetId, configured(assetId) ?? (await networkOf(assetId)));
    }
    return (assetId) => networks.get(assetId);
  };
}
