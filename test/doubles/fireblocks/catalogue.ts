import { createHash } from 'node:crypto';
import { formatAddress, type Network, networkSpecs } from '#shared/networks/network.ts';

/** One asset of the workspace's catalogue. */
export interface CatalogueAsset {
  readonly network: Network;
  /** The legacy id, which transactions carry. */
  readonly legacyId: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Contract, mint or issuer; absent for a native coin. */
  readonly contract?: string;
  readonly scope?: 'GLOBAL' | 'LOCAL';
  readonly isDeprecated?: boolean;
}

/*
 * Network, legacy id, and either `=` with the chain id, or symbol and contract. Ids and contracts: github
 * fireblocks/recovery, packages/asset-config/data/globalAssets.ts. USDC on OP Mainnet and on the test networks of
 * Arbitrum, Optimism and Base: Fireblocks help centre 27420202963612, with the contracts that Circle names. SUI and
 * SUI_TEST are made up: no public file of the vendor has them.
 */
const MAIN = `
ETHEREUM  ETH                      =1
ETHEREUM  USDC                     USDC    0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48
ETHEREUM  USDT_ERC20               USDT    0xdAC17F958D2ee523a2206206994597C13D831ec7
POLYGON   MATIC_POLYGON            =137
POLYGON   USDC_POLYGON             USDC_e  0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174
POLYGON   USDC_POLYGON_NXTB        USDC    0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359
POLYGON   USDT_POLYGON             USDT    0xc2132D05D31c914a87C6611C10748AEb04B58e8F
BASE      BASECHAIN_ETH            =8453
BASE      USDC_BASECHAIN_ETH_5I5C  USDC    0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913
ARBITRUM  ETH-AETH                 =42161
ARBITRUM  USDC_ARB                 USDC.e  0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8
ARBITRUM  USDC_ARB_3SBJ            USDC    0xaf88d065e77c8cC2239327C5EDb3A432268e5831
OPTIMISM  ETH-OPT                  =10
OPTIMISM  USDC_OPT_9T08            USDC    0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85
BSC       BNB_BSC                  =56
BSC       USDC_BSC                 USDC    0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d
BSC       USDT_BSC                 USDT    0x55d398326f99059fF775485246999027B3197955
AVALANCHE AVAX                     =43114
AVALANCHE USDC_AVAX                USDC    0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E
AVALANCHE USDT2_AVAX               USDT    0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7
TRON      TRX                      =
TRON      TRX_USDC_6NU3            USDC    TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8
TRON      TRX_USDT_S2UZ            USDT    TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
STELLAR   XLM                      =
STELLAR   XLM_USDC_5F3T            USDC    GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN
SOLANA    SOL                      =
SOLANA    SOL_USDC_PTHX            USDC    EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
SOLANA    SOL_USDT_EWAY            USDT    Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB
SUI       SUI                      =`;

const TEST = `
ETHEREUM  ETH_TEST5                      =11155111
ETHEREUM  USDC_ETH_TEST5_0GER            USDC  0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238
POLYGON   AMOY_POLYGON_TEST              =80002
POLYGON   USDC_AMOY_POLYGON_TEST_7WWV    USDC  0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582
BASE      BASECHAIN_ETH_TEST5            =84532
BASE      USDC_BASECHAIN_ETH_TEST5_8SH8  USDC  0x036CbD53842c5426634e7929541eC2318f3dCF7e
ARBITRUM  ETH-AETH_SEPOLIA               =421614
ARBITRUM  USDC_ARB_SEPOLIA_V84S          USDC  0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d
OPTIMISM  ETH-OPT_SEPOLIA                =11155420
OPTIMISM  USDC_OPT_SEPOLIA_AZBE          USDC  0x5fd84259d66Cd46123540766Be93DFE6D43130D7
BSC       BNB_TEST                       =97
BSC       USDT_BSC_TEST                  USDT  0x337610d27c682E347C9cD60BD4b3b107C9d34dDd
AVALANCHE AVAXTEST                       =43113
AVALANCHE USDC_AVAX_FUJI                 USDC  0x5425890298aed601595a70AB815c96711a31Bc65
TRON      TRX_TEST                       =
TRON      TRX_USDC_SKL5                  USDC  TFGBSrddCjLJAwuryZ9DUxtEmKv13BPjnh
STELLAR   XLM_TEST                       =
STELLAR   XLM_USDC_T_CEKS                USDC  GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5
SOLANA    SOL_TEST                       =
SUI       SUI_TEST                       =`;

interface Kind {
  readonly protocol: string;
  readonly coinDecimals: number;
  readonly tokenDecimals: number;
  /** Fireblocks, API reference, AssetTypeResponse; the type of Sui is made up, because the list has none. */
  readonly tokenType: string;
}

const evm: Kind = { protocol: 'ETH', coinDecimals: 18, tokenDecimals: 6, tokenType: 'ERC20' };
const others: Partial<Record<Network, Kind>> = {
  BSC: { ...evm, tokenDecimals: 18, tokenType: 'BEP20' },
  TRON: { protocol: 'TRX', coinDecimals: 6, tokenDecimals: 6, tokenType: 'TRON_TRC20' },
  STELLAR: { protocol: 'XLM', coinDecimals: 7, tokenDecimals: 7, tokenType: 'XLM_ASSET' },
  SOLANA: { protocol: 'SOL', coinDecimals: 9, tokenDecimals: 6, tokenType: 'SOL_ASSET' },
  SUI: { protocol: 'SUI', coinDecimals: 9, tokenDecimals: 6, tokenType: 'SUI_ASSET' },
};

interface Chain extends Kind {
  /** The legacy id of the coin. */
  readonly native: string;
  /** Absent for networks whose chain id no public page gives. */
  readonly chainId?: string;
}

export interface Catalogue {
  readonly isTest: boolean;
  readonly assets: readonly CatalogueAsset[];
  readonly chains: ReadonlyMap<Network, Chain>;
  /** Finds an asset by its legacy id. */
  asset(legacyId: string): CatalogueAsset | undefined;
}

/** @param extra assets beside the real ones: look-alikes, deprecated ones, or enough to fill pages */
export function createCatalogue(isTest: boolean, extra: readonly CatalogueAsset[]): Catalogue {
  const { chains, assets } = readTable(isTest ? TEST : MAIN);
  const has = (network: Network, symbol: string) =>
    assets.some((asset) => asset.network === network && asset.symbol === symbol);
  for (const [network, chain] of chains) {
    assets.push(...['USDC', 'USDT'].filter((one) => !has(network, one)).map((one) => madeUp(network, chain, one)));
  }
  assets.push(...extra);
  const byId = new Map(assets.map((asset) => [asset.legacyId, asset]));
  return { isTest, assets, chains, asset: (legacyId) => byId.get(legacyId) };
}

function readTable(table: string) {
  const [chains, assets] = [new Map<Network, Chain>(), [] as CatalogueAsset[]];
  for (const line of table.trim().split('\n')) {
    const [network, legacyId = '', symbol = '', contract] = line.split(/ +/) as [Network, ...string[]];
    const kind = others[network] ?? evm;
    if (contract === undefined) {
      const chainId = symbol.slice(1);
      chains.set(network, { ...kind, native: legacyId, ...(chainId === '' ? {} : { chainId }) });
      assets.push({ network, legacyId, symbol: legacyId, decimals: kind.coinDecimals });
    } else {
      assets.push({ network, legacyId, symbol, decimals: kind.tokenDecimals, contract });
    }
  }
  return { chains, assets };
}

/** A token that no public page lists, so that a stage can use it: id and contract are made up. */
function madeUp(network: Network, { native, tokenDecimals }: Chain, symbol: string): CatalogueAsset {
  const address = formatAddress(network, createHash('sha256').update(`${native} ${symbol}`).digest());
  const contract = network === 'SUI' ? `${address}::${symbol.toLowerCase()}::${symbol}` : address;
  return { network, legacyId: `${symbol}_${native}_MADE_UP`, symbol, decimals: tokenDecimals, contract };
}

/** One address serves all EVM networks of a vault; any other network has its own. */
export const familyOf = (network: Network) => (networkSpecs[network].family.hasChecksumCase ? 'EVM' : network);
