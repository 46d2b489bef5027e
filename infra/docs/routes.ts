import type { Route } from '#infra/platform/route.ts';
import { getDocsAssetContract, getDocsContract, getOpenapiContract } from '#shared/docs/docs-contract.ts';

/** Large files, for everybody. */
const DOCS = { all: { rate: 10, burst: 40 } };

/** The documentation. */
export const docsRoutes: readonly Route[] = [
  {
    contract: getOpenapiContract,
    throttling: DOCS,
    impact: 'Clients cannot read the OpenAPI document; everything else works.',
    example: {
      remark: 'OpenAPI 3.1. Its server is the address of the request.',
      answer: { openapi: '3.1.0', info: { title: 'This document', version: '2.0' }, paths: {} },
    },
  },
  {
    contract: getDocsContract,
    throttling: DOCS,
    impact: 'Developers of clients cannot open the documentation; everything else works.',
  },
  {
    contract: getDocsAssetContract,
    throttling: DOCS,
    impact: 'Developers of clients see an empty documentation page; everything else works.',
  },
];
