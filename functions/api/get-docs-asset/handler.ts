import { readFile } from 'node:fs/promises';
import { getDocsAsset as contract } from '#shared/contracts/docs.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getDocsAsset } from './get-docs-asset.ts';

/** The files lie beside the bundle. */
const read = (asset: string) => readFile(new URL(asset, import.meta.url), 'utf8');

export const handler = endpoint(contract, anyCaller, getDocsAsset(read));
