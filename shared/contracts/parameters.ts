import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { noBody, noPathParameters, noQuery } from './fields.ts';

/** Seconds for which anybody may keep a list (decisions.md 6). */
const LIST_SECONDS = 300;

/** Interface 2.7. Active banks only, so that the status is always the same text. */
export const bank = z.object({ id: z.string(), code: z.string(), name: z.string(), status: z.literal('true') });

/** Interface 2.8. Active tokens only. */
export const token = z.object({
  id: z.int(),
  token: z.string(),
  status: z.literal(true),
  registerDate: z.optional(z.string()),
  /** A PNG. */
  logo_base64: z.optional(z.string()),
});

export const listBanks = contract({
  name: 'list-banks',
  method: 'GET',
  path: '/api/parameters/banks',
  summary: 'List the banks that payers and payees can have their accounts with',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.array(bank) },
  refusals: [],
  cacheSeconds: LIST_SECONDS,
});

/** The same list where the description of pay-ins looks for it (interface 4.5, decisions.md 6). */
export const listBanksAsClient = contract({
  ...listBanks,
  path: '/api/v1/admin/banks',
  access: 'client',
  refusals: ['UNAUTHORIZED'],
});

export const listTokens = contract({
  name: 'list-tokens',
  method: 'GET',
  path: '/api/parameters/tokens',
  summary: 'List the tokens that the service supports',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.array(token) },
  refusals: [],
  cacheSeconds: LIST_SECONDS,
});
