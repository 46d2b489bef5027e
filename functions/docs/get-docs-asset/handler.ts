import { readFile } from 'node:fs/promises';
import { getDocsAssetContract } from '#shared/docs/docs-contract.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { getDocsAsset } from './get-docs-asset.ts';

export function wire({ readAsset }: { readonly readAsset: (asset: string) => Promise<string> }, clock: Clock) {
  return publicEndpoint(getDocsAssetContract, clock, getDocsAsset(readAsset));
}

/** The files are beside the bundle. */
const readAsset = (asset: string) => readFile(new URL(asset, import.meta.url), 'utf8');

export const handler = wire({ readAsset }, systemClock);
