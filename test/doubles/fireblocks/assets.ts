import { type Answer, BadRequest, limitOf, ok, parametersOf, problem } from './answer.ts';
import type { Catalogue, CatalogueAsset } from './catalogue.ts';

/** The catalogue as the API shows it: Fireblocks, API reference, Blockchains & assets. Ids that are UUIDs are made up. */
export function createAssets({ isTest, assets, chains }: Catalogue) {
  const places = new Map(assets.map(({ legacyId }, place) => [legacyId, place]));
  const idOf = (legacyId: string) => uuid(places.get(legacyId) ?? 0);
  const chainIds = new Map([...chains.keys()].map((network, place) => [network, uuid(100_000 + place)]));

  const assetAnswer = (one: CatalogueAsset) => {
    const { network, legacyId, symbol, decimals, contract, scope = 'GLOBAL', isDeprecated = false } = one;
    const standards = contract === undefined ? [] : [chains.get(network)?.tokenType];
    const address = contract === undefined ? {} : { address: contract };
    return {
      id: idOf(legacyId),
      legacyId,
      blockchainId: chainIds.get(network),
      displayName: `${symbol} (${network})`,
      displaySymbol: symbol,
      assetClass: contract === undefined ? 'NATIVE' : 'FT',
      onchain: { symbol, name: symbol, ...address, decimals, standards },
      metadata: { scope, verified: scope === 'GLOBAL', deprecated: isDeprecated },
    };
  };
  const answers = assets.map(assetAnswer);
  const legacy = assets.map(({ network, legacyId, symbol, decimals, contract }) => ({
    id: legacyId,
    name: symbol,
    type: contract === undefined ? 'BASE_ASSET' : chains.get(network)?.tokenType,
    contractAddress: contract ?? '',
    nativeAsset: chains.get(network)?.native,
    decimals,
  }));
  const blockchains = [...chains].map(([network, { native, chainId, protocol }]) => ({
    id: chainIds.get(network),
    legacyId: native,
    displayName: network,
    nativeAssetId: idOf(native),
    onchain: {
      protocol,
      ...(chainId === undefined ? {} : { chainId }),
      test: isTest,
      signingAlgo: ['SOL', 'XLM', 'SUI'].includes(protocol) ? 'EDDSA_ED25519' : 'ECDSA_SECP256K1',
    },
    metadata: { scope: 'GLOBAL', deprecated: false },
  }));

  return {
    /** By UUID or legacy id. */
    getAsset(id: string): Answer {
      const found = answers.find((one) => one.id === id || one.legacyId === id);
      return found === undefined ? problem(404, 'Asset not found', 1504) : ok(found);
    },
    listAssets(query: URLSearchParams): Answer {
      const known = ['blockchainId', 'assetClass', 'symbol', 'scope', 'deprecated', 'ids', 'pageCursor', 'pageSize'];
      const asked = parametersOf(query, known);
      const ids = query.getAll('ids').flatMap((one) => one.split(','));
      if (ids.length > 100) throw new BadRequest('At most 100 ids');
      const found = answers.filter(({ id, legacyId, blockchainId, assetClass, onchain: { symbol }, metadata }) => {
        const { scope, deprecated } = metadata;
        const isNamed = ids.length === 0 || ids.includes(id) || ids.includes(legacyId);
        return isNamed && has(asked, { blockchainId, assetClass, symbol, scope, deprecated });
      });
      return pageOf(found, asked);
    },
    /** By UUID or legacy id. */
    getBlockchain(id: string): Answer {
      const found = blockchains.find((one) => one.id === id || one.legacyId === id);
      return found === undefined ? problem(404, 'Blockchain not found', 1505) : ok(found);
    },
    listBlockchains(query: URLSearchParams): Answer {
      const asked = parametersOf(query, ['protocol', 'deprecated', 'test', 'pageCursor', 'pageSize']);
      const found = blockchains.filter(({ onchain: { protocol, test }, metadata: { deprecated } }) =>
        has(asked, { protocol, test, deprecated }),
      );
      return pageOf(found, asked);
    },
    listLegacy: () => ok(legacy),
  };
}

/** Whether the values fit the filters of the query. */
function has(asked: Readonly<Record<string, string>>, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(values).every(([name, value]) => asked[name] === undefined || asked[name] === String(value));
}

function pageOf(items: readonly unknown[], { pageCursor, pageSize }: Readonly<Record<string, string>>): Answer {
  const limit = limitOf(pageSize, 500, 1000, 100);
  const start = pageCursor === undefined ? 0 : Number(Buffer.from(pageCursor, 'base64url').toString());
  if (Number.isNaN(start)) throw new BadRequest('Invalid cursor');
  const next = start + limit < items.length ? Buffer.from(String(start + limit)).toString('base64url') : null;
  return ok({ data: items.slice(start, start + limit), next });
}

const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
