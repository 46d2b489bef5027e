import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody, noParameters, noPathParameters } from '#shared/platform/http/fields.ts';
import { assetOnNetwork, bank, supportedToken } from './parameter-lists.ts';

/** Seconds for which anybody may cache a list (decisions.md 6). */
const LIST_SECONDS = 300;

/** Interface 2.7. Active banks only, so that the status is always the same text. */
export const bankAnswer = z.extend(z.pick(bank, { id: true, code: true, name: true }), { status: z.literal('true') });

documentObject('Bank', bankAnswer, 'A bank that payers and payees can have their accounts with.', {
  id: 'Id of the bank: `bankId` of a bank account. It can differ between test and production.',
  code: { description: 'Code of the bank on the payment rail: `bank` of a pay-in.', pattern: '^\\d{1,4}$' },
  name: 'Name of the bank.',
  status: 'The text `true`: the list has active banks only.',
});

/** The limits of an off-ramp of a token on a network; an addition to interface 2.8. */
const tokenOnNetwork = z.object({
  network,
  ...z.pick(assetOnNetwork, { decimals: true, minimum: true, maximum: true }).shape,
});

const decimalPattern = '^\\d+(\\.\\d+)?$';

documentObject('TokenOnNetwork', tokenOnNetwork, 'A network on which off-ramps of a token can be created.', {
  network: 'The network: that of the external wallet from which the user sends.',
  decimals: { description: 'Digits after the point that an amount may have.', minimum: 0, maximum: 18 },
  minimum: {
    description: 'The smallest allowed amount of an off-ramp, as decimal text.',
    pattern: decimalPattern,
  },
  maximum: {
    description: 'The largest allowed amount of an off-ramp, as decimal text.',
    pattern: decimalPattern,
  },
});

/** Interface 2.8. Active tokens only. */
export const tokenAnswer = z.object({
  id: supportedToken.shape.tokenId,
  token: supportedToken.shape.token,
  status: z.literal(true),
  registerDate: supportedToken.shape.registerDate,
  logo_base64: supportedToken.shape.logoBase64,
  networks: z.array(tokenOnNetwork),
});

documentObject('Token', tokenAnswer, 'A token that can fund off-ramps.', {
  id: 'Id of the token: `supportedTokenId` of an off-ramp. It can differ between test and production.',
  token: 'Symbol of the token, for example `USDC`.',
  status: 'True: the list has active tokens only.',
  registerDate: { description: 'Day on which the token was added. Absent when it is not known.', format: 'date' },
  logo_base64: 'Logo of the token, a PNG in base64. Absent when there is none.',
  networks: "The networks on which it is supported, with the limits of an off-ramp's amount on each.",
});

export const listBanksContract = contract({
  name: 'list-banks',
  method: 'GET',
  path: '/api/parameters/banks',
  summary: 'List the banks that payers and payees can have their accounts with',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noParameters,
  body: noBody,
  success: { status: 200, body: z.array(bankAnswer) },
  errors: [apiErrors.VALIDATION_FAILED],
  cacheSeconds: LIST_SECONDS,
});

/** The same list on the path that the description of pay-ins names (interface 4.5, decisions.md 6). */
export const listBanksAsClientContract = contract({
  ...listBanksContract,
  path: '/api/v1/admin/banks',
  access: 'client',
  errors: [apiErrors.UNAUTHORIZED, apiErrors.VALIDATION_FAILED],
});

export const listTokensContract = contract({
  name: 'list-tokens',
  method: 'GET',
  path: '/api/parameters/tokens',
  summary: 'List the tokens that the service supports',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noParameters,
  body: noBody,
  success: { status: 200, body: z.array(tokenAnswer) },
  errors: [apiErrors.VALIDATION_FAILED],
  cacheSeconds: LIST_SECONDS,
});
