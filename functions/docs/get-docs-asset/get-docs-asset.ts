import type { getDocsAsset as contract } from '#shared/docs/docs-contract.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function getDocsAsset(read: (asset: string) => Promise<string>): UseCase<typeof contract> {
  return async ({ path: { asset } }) => ({
    body: await read(asset),
    headers: { 'Content-Type': `${asset.endsWith('.css') ? 'text/css' : 'text/javascript'}; charset=utf-8` },
  });
}
