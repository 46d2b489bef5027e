import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { parseWrittenAddress } from '#shared/networks/address-checksum.ts';
import { network } from '#shared/networks/network.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';
import { id, instantInput } from '#shared/platform/http/fields.ts';
import { personal } from '#shared/platform/http/personal.ts';

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

/** The payer's data that rails require. */
const payer = personal(
  z.partial(
    z.strictObject({
      fullName: text,
      email: z.email().check(z.maxLength(255)),
      /** A Colombian mobile number. */
      phone: z.string().check(z.regex(/^3\d{9}$/, 'must be ten digits starting with 3')),
      documentType: z.enum(['CC', 'CE', 'NIT', 'PP', 'TI']),
      documentNumber: z.string().check(z.regex(/^[0-9A-Za-z-]{3,32}$/, 'must be 3 to 32 digits, letters and hyphens')),
      personType: z.enum(['NATURAL', 'LEGAL']),
      acceptedTermsAt: instantInput,
    }),
  ),
);

const payerTexts = z.record(z.string(), z.string());

export const addUserContract = command({
  name: 'add-user',
  subject: ['userId', 'clientId'],
  summary: 'Adds a user to a client.',
  input: z.strictObject({ clientId: id, payer: z._default(payer, {}) }),
  answer: z.object({ userId: id, clientId: id }),
  errors: [apiErrors.NOT_FOUND],
});

export const updateUserContract = command({
  name: 'update-user',
  subject: ['userId'],
  summary: 'Changes the data of a user; absent fields stay.',
  input: z.strictObject({
    userId: id,
    payer: z._default(payer, {}),
    /** The values that the operator has seen, empty where there was none: other values are not overwritten. */
    before: z.optional(personal(z.record(z.string(), z.string()))),
  }),
  /** The previous values of the changed fields, to undo a mistake. */
  answer: z.object({ userId: id, before: payerTexts, after: payerTexts }),
  errors: [clientErrors.USER_NOT_FOUND, clientErrors.USER_ERASED, apiErrors.SERVICE_UNAVAILABLE],
});

/** An address in any spelling, which is converted to its normal form; the operator sees this form. */
const account = z
  .strictObject({ userId: id, network, address: z.string().check(z.trim(), z.maxLength(128)) })
  .check((given) => {
    const { network, address } = given.value;
    const read = parseWrittenAddress(network, address);
    if (!('fault' in read)) given.value = { ...given.value, address: read.address };
    else {
      const { fault: message } = read;
      given.issues.push({ code: 'invalid_format', format: 'regex', path: ['address'], input: address, message });
    }
  });

export const wallet = z.object({ walletId: id, network, address: z.string() });

export const declareWalletContract = command({
  name: 'declare-wallet',
  subject: ['userId'],
  summary: 'Declares an address from which a user sends deposits.',
  input: account,
  answer: z.extend(wallet, { userId: id }),
  errors: [clientErrors.USER_NOT_FOUND, clientErrors.USER_ERASED],
});

export const withdrawWalletContract = command({
  name: 'withdraw-wallet',
  subject: ['userId'],
  summary: 'Takes a declared address back; existing off-ramps from it go on.',
  input: z.strictObject({ userId: id, walletId: id }),
  answer: z.object({ userId: id, walletId: id }),
  errors: [clientErrors.EXTERNAL_WALLET_NOT_FOUND],
});
