import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, noBody, noPathParameters, pageLimit } from '#shared/platform/http/fields.ts';
import { clientErrors } from './client-errors.ts';
import { type ExternalWallet, externalWallet, payer, type User, user } from './user.ts';

/* What operators have registered for a client, for the client to read (decisions.md 14, Lists over all users). */

const payerAnswer = z.extend(payer, { phone: user.shape.phone });

documentObject('Payer', payerAnswer, 'The data of a payer that payment rails require, as far as they are registered.', {
  fullName: 'Full name.',
  email: 'E-mail address.',
  phone: 'Mobile number, ten digits.',
  documentType: 'Type of the identification document: `CC`, `CE`, `NIT`, `PP` or `TI`.',
  documentNumber: 'Number of the identification document.',
  personType: 'Whether it is a person or a company: `NATURAL` or `LEGAL`.',
  acceptedTermsAt: 'When the payer accepted the terms of the rail.',
});

const userAnswer = z.object({ id, payer: payerAnswer });

documentObject('User', userAnswer, 'A user of the client.', {
  id: 'Id of the user.',
  payer: 'The data that pay-ins use.',
});

export function describeUser({ userId, phone, payer }: User): z.infer<typeof userAnswer> {
  return userAnswer.parse({ id: userId, payer: { ...payer, phone } });
}

const page = z.strictObject({ limit: pageLimit, cursor: z.optional(z.string()) });

const USERS_PATH = '/api/v1/admin/users';

export const listUsersContract = contract({
  name: 'list-users',
  method: 'GET',
  path: USERS_PATH,
  summary: "List the client's users, in the order of their ids",
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: page,
  body: noBody,
  success: { status: 200, body: z.object({ users: z.array(userAnswer), nextCursor: z.optional(z.string()) }) },
  errors: [apiErrors.UNAUTHORIZED, apiErrors.VALIDATION_FAILED, apiErrors.SERVICE_UNAVAILABLE],
});

documentObject('UserPage', listUsersContract.success.body, "A page of the client's users.", {
  users: 'The users of this page, in the order of their ids.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});

const walletAnswer = z.object({ id, ...z.pick(externalWallet, { network: true, address: true }).shape });

documentObject('Wallet', walletAnswer, 'An external wallet from which a user sends deposits.', {
  id: 'Id of the wallet: the `originExternalWalletId` of an off-ramp.',
  network: 'The network of the wallet.',
  address: 'The address, in its normal form.',
});

export function describeWallet({ walletId, network, address }: ExternalWallet): z.infer<typeof walletAnswer> {
  return walletAnswer.parse({ id: walletId, network, address });
}

export const listWalletsContract = contract({
  name: 'list-wallets',
  method: 'GET',
  path: `${USERS_PATH}/{user_id}/wallets`,
  summary: "List a user's declared wallets, in the order of their ids",
  access: 'client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: clientErrors.USER_NOT_FOUND,
  query: page,
  body: noBody,
  success: { status: 200, body: z.object({ wallets: z.array(walletAnswer), nextCursor: z.optional(z.string()) }) },
  errors: [apiErrors.UNAUTHORIZED, clientErrors.USER_NOT_FOUND, apiErrors.VALIDATION_FAILED],
});

documentObject('WalletPage', listWalletsContract.success.body, "A page of a user's declared wallets.", {
  wallets: 'The wallets of this page, in the order of their ids.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});
