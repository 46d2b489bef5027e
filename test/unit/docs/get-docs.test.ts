import { expect, test } from 'vitest';
import { getDocs } from '#functions/docs/get-docs/get-docs.ts';
import { docsAssets, getDocsAssetContract, getDocsContract } from '#shared/docs/docs-contract.ts';
import { httpRequest } from '#test/support/http-request.ts';

test.each([
  ['its own address', getDocsContract.path],
  ['its own address with a slash at the end', `${getDocsContract.path}/`],
  ["API Gateway's address, which has the stage before the path", `/prod${getDocsContract.path}`],
])('the page finds its files from %s', async (_, path) => {
  const http = httpRequest('', {}, { method: 'GET', path });
  const { body } = await getDocs()({
    clientId: '',
    path: {},
    query: () => ({}),
    body: () => ({}),
    bytes: () => Buffer.alloc(0),
    http,
  });
  const loaded = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
  const from = new URL(path, 'https://service.invalid');
  const files = loaded.filter((address) => !address.startsWith('data:')).map((address) => new URL(address, from));
  const [stage = ''] = path.split('/api');
  expect(files.map(({ pathname }) => pathname)).toEqual(
    docsAssets.map((asset) => `${stage}${getDocsAssetContract.path.replace('{asset}', asset)}`),
  );
});
