import { extname } from 'node:path';
import type { getDocsAssetContract } from '#shared/docs/docs-contract.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

const kinds = new Map([
  ['.css', 'css'],
  ['.js', 'javascript'],
  ['.txt', 'plain'],
]);

export function getDocsAsset(read: (asset: string) => Promise<string>): UseCase<typeof getDocsAssetContract> {
  return async ({ path: { asset } }) => ({
    body: await read(asset),
    headers: { 'Content-Type': `text/${kinds.get(extname(asset))}; charset=utf-8` },
  });
}
