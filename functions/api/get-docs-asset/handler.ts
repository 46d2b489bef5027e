import { readFile } from 'node:fs/promises';
import { getDocsAsset as contract } from '#shared/contracts/docs.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { getDocsAsset } from './get-docs-asset.ts';

export function wire({ readAsset }: { readonly readAsset: (asset: string) => Promise<string> }, clock: Clock) {
  return publicEndpoint(contract, clock, getDocsAsset(readAsset));
}

/** The files lie beside the bundle. */
const readAsset = (asset: string) => readFile(new URL(asset, import.meta.url), 'utf8');

export const handler = wire({ readAsset }, systemClock);
