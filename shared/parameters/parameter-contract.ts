import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';
import { bank, supportedToken } from './parameter-lists.ts';

/** Seconds for which anybody may keep a list (decisions.md 6). */
const LIST_SECONDS = 300;

/** Interface 2.7. Active banks only, so that the status is always the same text. */
export const bankAnswer = z.extend(z.pick(bank, { id: true, code: true, name: true }), { status: z.literal('true') });

documentObject('Bank', bankAnswer, 'A bank that payers and payees can have their accounts with.', {
  id: 'Id of the bank: `bankId` of a bank account. It can differ between test and production.',
  code: { description: 'Code of the bank on the payment rail: `bank` of a pay-in.', pattern: '^\\d{4}$' },
  name: 'Name of the bank.',
  status: 'The text `true`: the list has active banks only.',
});

/** Interface 2.8. Active tokens only. */
export const tokenAnswer = z.object({
  id: supportedToken.shape.tokenId,
  token: supportedToken.shape.token,
  status: z.literal(true),
  registerDate: supportedToken.shape.registerDate,
  logo_base64: supportedToken.shape.logoBase64,
});

documentObject('Token', tokenAnswer, 'A token that off-ramps can be funded with.', {
  id: 'Id of the token: `supportedTokenId` of an off-ramp. It can differ between test and production.',
  token: 'Symbol of the token, for example `USDC`.',
  status: 'True: the list has active tokens only.',
  registerDate: { description: 'Day on which the token was added. Absent when it is not known.', format: 'date' },
  logo_base64: 'Logo of the token, a PNG in base64. Absent when there is none.',
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
  success: { status: 200, body: z.array(bankAnswer) },
  errors: [],
  cacheSeconds: LIST_SECONDS,
});

/** The same list where the description of pay-ins looks for it (interface 4.5, decisions.md 6). */
export const listBanksAsClient = contract({
  ...listBanks,
  path: '/api/v1/admin/banks',
  access: 'client',
  errors: ['UNAUTHORIZED'],
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
  success: { status: 200, body: z.array(tokenAnswer) },
  errors: [],
  cacheSeconds: LIST_SECONDS,
});
