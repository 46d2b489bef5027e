import { readFile } from 'node:fs/promises';
import { getDocsAsset as contract } from '#shared/contracts/docs.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { getDocsAsset } from './get-docs-asset.ts';

export function wire({ readAsset }: { readonly readAsset: (asset: string) => Promise<string> }) {
  return publicEndpoint(contract, getDocsAsset(readAsset));
}

/** The files lie beside the bundle. */
const readAsset = (asset: string) => readFile(new URL(asset, import.meta.url), 'utf8');

export const handler = wire({ readAsset });
