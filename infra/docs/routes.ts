import type { Route } from '#infra/platform/route.ts';
import { getDocsContract, getOpenapiContract } from '#shared/docs/docs-contract.ts';

/** Large files, for everybody. */
const DOCS = { all: { rate: 10, burst: 40 } };

/** A page of the guides is about ten calls. */
const PAGES = { all: { rate: 25, burst: 100 } };

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
    throttling: PAGES,
    impact: 'Developers of clients cannot read the guides and the reference; everything else works.',
  },
];
