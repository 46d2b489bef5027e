import type { Route } from '#infra/platform/route.ts';
import { getDocs, getDocsAsset, getOpenapi } from '#shared/docs/docs-contract.ts';

/** Large files, for everybody. */
const DOCS = { all: { rate: 10, burst: 40 } };

/** The documentation. */
export const docsRoutes: readonly Route[] = [
  {
    contract: getOpenapi,
    throttling: DOCS,
    impact: 'Clients cannot read the OpenAPI document; everything else works.',
    example: {
      remark: 'OpenAPI 3.1, with the address at which it was asked for as its server.',
      answer: { openapi: '3.1.0', info: { title: 'This document', version: '2.0' }, paths: {} },
    },
  },
  {
    contract: getDocs,
    throttling: DOCS,
    impact: 'Developers of clients cannot open the documentation; everything else works.',
  },
  {
    contract: getDocsAsset,
    throttling: DOCS,
    impact: 'Developers of clients see an empty documentation page; everything else works.',
  },
];
