import type { Endpoint } from '#infra/api/endpoint.ts';
import { getDocs, getDocsAsset } from '#shared/docs/docs-contract.ts';
import { getOpenapi } from '#shared/docs/openapi-contract.ts';

/** Large files, for everybody. */
const DOCS = { rate: 10, burst: 40 };

/** The documentation. */
export const docsRoutes: readonly Endpoint[] = [
  {
    contract: getOpenapi,
    folder: 'docs/get-openapi',
    tables: {},
    needs: [],
    throttling: DOCS,
    impact: 'Clients cannot read the OpenAPI document; everything else works.',
  },
  {
    contract: getDocs,
    folder: 'docs/get-docs',
    tables: {},
    needs: [],
    throttling: DOCS,
    impact: 'Developers of clients cannot open the documentation; everything else works.',
  },
  {
    contract: getDocsAsset,
    folder: 'docs/get-docs-asset',
    tables: {},
    needs: [],
    throttling: DOCS,
    impact: 'Developers of clients see an empty documentation page; everything else works.',
  },
];
