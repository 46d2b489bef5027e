import { getDocs, getDocsAsset } from '#shared/contracts/docs.ts';
import { getOpenapi } from '#shared/contracts/openapi.ts';
import type { Endpoint } from '../endpoint.ts';

/** Large files, for everybody. */
const DOCS = { rate: 10, burst: 40 };

/** The documentation. */
export const docsRoutes: readonly Endpoint[] = [
  {
    contract: getOpenapi,
    folder: 'api/get-openapi',
    api: 'clients',
    tables: {},
    needs: [],
    throttling: DOCS,
    clientsLose: 'Clients cannot read the OpenAPI document; everything else works.',
  },
  {
    contract: getDocs,
    folder: 'api/get-docs',
    api: 'clients',
    tables: {},
    needs: [],
    throttling: DOCS,
    clientsLose: 'Developers of clients cannot open the documentation; everything else works.',
  },
  {
    contract: getDocsAsset,
    folder: 'api/get-docs-asset',
    api: 'clients',
    tables: {},
    needs: [],
    throttling: DOCS,
    clientsLose: 'Developers of clients see an empty documentation page; everything else works.',
  },
];
