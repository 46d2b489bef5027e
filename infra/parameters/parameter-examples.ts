import type { Examples } from '#infra/api/openapi/examples.ts';

export const parameterExamples: Examples = {
  'list-banks': {
    answer: [
      { id: 'banco-de-bogota', code: '1001', name: 'Banco de Bogotá', status: 'true' },
      { id: 'bancolombia', code: '1007', name: 'Bancolombia', status: 'true' },
    ],
    remark: 'Active banks only.',
  },
  'list-tokens': {
    answer: [{ id: 1, token: 'USDC', status: true, registerDate: '2026-11-21' }],
    remark: 'Active tokens only.',
  },
  'get-openapi': {
    remark: 'OpenAPI 3.1, with the address at which it was asked for as its server.',
    answer: { openapi: '3.1.0', info: { title: 'This document', version: '2.0' }, paths: {} },
  },
};
