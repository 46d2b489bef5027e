import * as z from 'zod/mini';
import { setting } from '#shared/platform/environment.ts';

/** Amounts by the custodian's asset id, for each token on a network of the stage. Any other asset is unknown. */
export type AssetAmounts = Readonly<Record<string, string>>;

const assetAmounts = z.record(z.string(), z.string());

/** Decimals of each token, by the same ids. */
export type AssetDecimals = Readonly<Record<string, number>>;

const assetDecimals = z.record(z.string(), z.int());

export function assetDecimalsSetting(name: string): AssetDecimals {
  return assetDecimals.parse(JSON.parse(setting(name)));
}

export function assetAmountsSetting(name: string): AssetAmounts {
  return assetAmounts.parse(JSON.parse(setting(name)));
}
