import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import {
  externalReference,
  id,
  instantInput,
  noBody,
  noPathParameters,
  noQuery,
  pageLimit,
} from '#shared/platform/http/fields.ts';
import { type Payin, payin, payinStatusChange, remainingOf } from './pay-in.ts';
import { paymentMethods } from './payment-methods.ts';

const shown = z.pick(payin, {
  status: true,
  currency: true,
  amount: true,
  paymentMethod: true,
  paymentUrl: true,
  externalReference: true,
});

/** A pay-in as clients see it (interface 2.4). */
const payinAnswer = z.object({
  id,
  ...shown.shape,
  currency: z.string(),
  amount: z.number(),
  pseLink: shown.shape.paymentUrl,
});

documentObject('Payin', payinAnswer, "Fiat that is collected from one of the client's users.", {
  id: 'Id of the pay-in.',
  status: 'Status of the pay-in.',
  currency: { description: 'Currency of the amount, by ISO 4217: `COP`.', pattern: '^[A-Z]{3}$' },
  amount: { description: 'Amount to collect, with at most two decimals.', format: 'double' },
  paymentMethod: 'The method by which the payer pays.',
  pseLink: {
    description: 'The page on which the user pays. Only with PSE, once the rail has created it.',
    format: 'uri',
  },
  paymentUrl: {
    description:
      'The page on which the user pays or confirms, if the method has one, once the rail has created it. With PSE it is pseLink.',
    format: 'uri',
  },
  externalReference: { description: "The client's own reference, if one was given.", minLength: 1, maxLength: 255 },
});

/** A pay-in with its user, times, sequence, remaining amount, reason of a failure, and every status, oldest first. */
const payinWithHistory = z.extend(payinAnswer, {
  userId: payin.shape.userId,
  createdAt: payin.shape.createdAt,
  sequence: payin.shape.sequence,
  reversedAt: payin.shape.reversedAt,
  remainingAmount: z.optional(z.number()),
  failureReason: payin.shape.failureReason,
  statusHistory: z.array(payinStatusChange),
});

documentObject('PayinStatusChange', payinStatusChange, 'A status in the history of a pay-in.', {
  status: 'The status.',
  at: 'When the pay-in got it.',
});

documentObject(
  'PayinWithHistory',
  payinWithHistory,
  'A pay-in with its user, the time of its creation and its status history.',
  {
    userId: { description: 'The user who pays.', format: 'uuid' },
    createdAt: 'When the pay-in was created.',
    sequence: 'Grows with every change of the pay-in, as in its events: an event with a smaller sequence is older.',
    reversedAt:
      'Since when the rail has taken back money of a pay-in that is COMPLETED, in whole or in part. Absent once all of it is there again.',
    remainingAmount: {
      description:
        'With reversedAt: the part of the amount that is still there, 0 when all of it is gone, as in `ramp.payin.reversed`.',
      format: 'double',
    },
    failureReason: {
      description: "Why the pay-in is FAILED, in the payment rail's own words, if it gave any. For people.",
      minLength: 1,
      maxLength: 200,
    },
    statusHistory: 'Every status that the pay-in has had, oldest first.',
  },
  payinAnswer,
);

/** Adds the fields that clients know by another name or type. Pesos with two decimals are exact as a JSON number. */
function asClientsKnow(payin: Payin) {
  const { payinId: id, paymentMethod, paymentUrl, reversedAt } = payin;
  const hasLink = paymentMethods[paymentMethod].hasLink && paymentUrl !== undefined;
  const left = reversedAt !== undefined && { remainingAmount: Number(remainingOf(payin)) };
  return { ...payin, id, amount: Number(payin.amount), ...(hasLink && { pseLink: paymentUrl }), ...left };
}

export function describePayin(payin: Payin): z.infer<typeof payinAnswer> {
  return payinAnswer.parse(asClientsKnow(payin));
}

export function describePayinWithHistory(payin: Payin): z.infer<typeof payinWithHistory> {
  return payinWithHistory.parse(asClientsKnow(payin));
}

export const createPayinContract = contract({
  name: 'create-payin',
  method: 'POST',
  path: '/api/v1/admin/fiats/{user_id}/payin',
  summary: "Collect fiat from one of the client's users",
  access: 'approved-client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: clientErrors.USER_NOT_FOUND,
  query: noQuery,
  body: z.object({
    amount: z.number(),
    currency: payin.shape.currency,
    paymentMethod: z._default(payin.shape.paymentMethod, 'PSE'),
    bank: z.optional(z.string()),
    redirectUrl: z.optional(z.string().check(z.maxLength(2048))),
    phone: z.optional(z.string()),
    externalReference: z.optional(externalReference),
    expirationDate: z.optional(instantInput),
  }),
  idempotent: true,
  success: { status: 201, body: payinAnswer },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    clientErrors.USER_NOT_FOUND,
    clientErrors.USER_ERASED,
    apiErrors.IDEMPOTENCY_IN_PROGRESS,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.IDEMPOTENCY_KEY_REUSED,
    payinErrors.RAIL_REJECTED,
    payinErrors.RAIL_UNAVAILABLE,
  ],
});

documentObject('CreatePayinRequest', createPayinContract.body, 'The amount to collect, and the method.', {
  amount: {
    description: 'Pesos to collect, whole or with two decimals.',
    format: 'double',
    minimum: 1500,
    maximum: 50_000_000,
  },
  currency: 'Currency of the amount, by ISO 4217.',
  paymentMethod: 'The method by which the payer pays.',
  bank: "Code of the payer's bank, from the list of banks. Required for PSE; ignored for the other methods.",
  redirectUrl: {
    description: 'Where the user returns after paying: an absolute https URL without user name and password.',
    format: 'uri',
  },
  phone: {
    description:
      "The payer's Colombian mobile number, for NEQUI and DAVIPLATA. By default the user's registered phone.",
    pattern: '^(\\+57)?3\\d{9}$',
  },
  externalReference: "The client's own reference for the pay-in. Lists can be filtered by it.",
  expirationDate:
    'The time until which the pay-in may be paid: in the future, at most 30 days ahead, by RFC 3339 with an offset.',
});

export const getPayinContract = contract({
  name: 'get-payin',
  method: 'GET',
  path: '/api/v1/admin/fiats/{user_id}/payin/{payin_id}',
  summary: 'Read a pay-in with its status history',
  access: 'client',
  pathParameters: z.object({ user_id: id, payin_id: id }),
  unknownPath: payinErrors.PAYIN_NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: payinWithHistory },
  errors: [apiErrors.UNAUTHORIZED, payinErrors.PAYIN_NOT_FOUND],
});

const payinPage = z.object({ payins: z.array(payinWithHistory), nextCursor: z.optional(z.string()) });

documentObject('PayinPage', payinPage, 'A page of pay-ins.', {
  payins: 'The pay-ins of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});

export const listPayinsContract = contract({
  name: 'list-payins',
  method: 'GET',
  path: '/api/v1/admin/fiats/{user_id}/payin',
  summary: "List a user's pay-ins, newest first",
  access: 'client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: clientErrors.USER_NOT_FOUND,
  query: z.strictObject({
    externalReference: z.optional(externalReference),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: { status: 200, body: payinPage },
  errors: [
    apiErrors.UNAUTHORIZED,
    clientErrors.USER_NOT_FOUND,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

/** Over all users (decisions.md 14, Lists over all users). */
export const listClientPayinsContract = contract({
  name: 'list-client-payins',
  method: 'GET',
  path: '/api/v1/admin/payins',
  summary: "List the pay-ins of all of the client's users, newest first",
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: z.strictObject({
    status: z.optional(payin.shape.status),
    externalReference: z.optional(externalReference),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: { status: 200, body: payinPage },
  errors: [apiErrors.UNAUTHORIZED, apiErrors.VALIDATION_FAILED, apiErrors.SERVICE_UNAVAILABLE],
});
