import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { changeLine } from '#shared/platform/operators/audit-records.ts';
import { bankInput, tokenInput } from './parameter-commands.ts';
import { bank, supportedToken } from './parameter-lists.ts';

/** The state of an entry, by its file and the decision of the operators. */
const decided = {
  /** True if the entry is active in its file and no operator has deactivated it. */
  isListed: z.boolean(),
  deactivatedAt: z.optional(instant),
  /** The operators' changes to the entry. */
  changes: z.array(changeLine),
};

export const readBankContract = lookup({
  name: 'bank',
  summary: 'A bank of the list of PSE, by its id or its code: whether users can pay in from it, and who changed that.',
  query: bankInput,
  answer: z.object({ ...bankInput.shape, ...z.pick(bank, { code: true, name: true }).shape, ...decided }),
  errors: [apiErrors.NOT_FOUND],
});

export const readTokenContract = lookup({
  name: 'token',
  summary: 'A token: whether off-ramps can be created with it, and who changed that.',
  query: tokenInput,
  answer: z.object({ ...tokenInput.shape, ...z.pick(supportedToken, { token: true }).shape, ...decided }),
  errors: [apiErrors.NOT_FOUND],
});
