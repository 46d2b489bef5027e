import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';

export const bankInput = z.strictObject({ bankId: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) });
export const tokenInput = z.strictObject({
  tokenId: z.string().check(z.regex(/^\d{1,15}$/, 'must be the number of a token')),
});

export const deactivateBankContract = command({
  name: 'deactivate-bank',
  subject: ['bankId'],
  summary: 'Removes a bank from the list and from new pay-ins, at once and through deployments, until it is activated.',
  input: bankInput,
  answer: bankInput,
  errors: [apiErrors.NOT_FOUND],
});

export const activateBankContract = command({
  name: 'activate-bank',
  subject: ['bankId'],
  summary: 'Undoes the deactivation of a bank by an operator.',
  input: bankInput,
  answer: bankInput,
  errors: [apiErrors.NOT_FOUND],
});

export const deactivateTokenContract = command({
  name: 'deactivate-token',
  subject: ['tokenId'],
  summary:
    'Removes a token from the list and from new off-ramps, at once and through deployments, until it is activated.',
  input: tokenInput,
  answer: tokenInput,
  errors: [apiErrors.NOT_FOUND],
});

export const activateTokenContract = command({
  name: 'activate-token',
  subject: ['tokenId'],
  summary: 'Undoes the deactivation of a token by an operator.',
  input: tokenInput,
  answer: tokenInput,
  errors: [apiErrors.NOT_FOUND],
});
