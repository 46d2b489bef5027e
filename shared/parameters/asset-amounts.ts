import * as z from 'zod/mini';
import { setting } from '#shared/platform/environment.ts';

/** Amounts by the custodian's id of each token that the stage has on a network: no other asset is one of the service's. */
export type AssetAmounts = Readonly<Record<string, string>>;

const assetAmounts = z.record(z.string(), z.string());

export function assetAmountsSetting(name: string): AssetAmounts {
  return assetAmounts.parse(JSON.parse(setting(name)));
}
