import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';

export const ofBank = z.object({ bankId: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) });
export const ofToken = z.object({ tokenId: z.string().check(z.regex(/^\d{1,15}$/, 'must be the number of a token')) });

export const deactivateBankContract = command({
  name: 'deactivate-bank',
  summary: 'Takes a bank off the list and out of new pay-ins, at once and whatever is deployed, until it is activated.',
  input: ofBank,
  answer: ofBank,
  errors: [apiErrors.NOT_FOUND],
});

export const activateBankContract = command({
  name: 'activate-bank',
  summary: 'Takes back that a bank was deactivated by an operator.',
  input: ofBank,
  answer: ofBank,
  errors: [apiErrors.NOT_FOUND],
});

export const deactivateTokenContract = command({
  name: 'deactivate-token',
  summary:
    'Takes a token off the list and out of new off-ramps, at once and whatever is deployed, until it is activated.',
  input: ofToken,
  answer: ofToken,
  errors: [apiErrors.NOT_FOUND],
});

export const activateTokenContract = command({
  name: 'activate-token',
  summary: 'Takes back that a token was deactivated by an operator.',
  input: ofToken,
  answer: ofToken,
  errors: [apiErrors.NOT_FOUND],
});
