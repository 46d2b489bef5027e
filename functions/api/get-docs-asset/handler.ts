import { readFile } from 'node:fs/promises';
import { getDocsAsset as contract } from '#shared/contracts/docs.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { getDocsAsset } from './get-docs-asset.ts';

/** The files lie beside the bundle. */
const read = (asset: string) => readFile(new URL(asset, import.meta.url), 'utf8');

export const handler = publicEndpoint(contract, getDocsAsset(read));
