import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';
import { hashStatuses } from './operation.ts';
import { verificationReasons } from './verification-reason.ts';

export const hashStatus = z.enum(hashStatuses);

documentValues('HashStatus', hashStatus, 'How far the verification of the deposit of an off-ramp is.', {
  NOT_SUBMITTED: 'No hash was reported, and no deposit is confirmed.',
  VERIFYING: 'A hash was reported, and its deposit is not confirmed. It stays so after the window has ended.',
  VERIFIED: 'The deposit is confirmed.',
  NOT_VERIFIED: 'The operation ended without a confirmed deposit.',
});

export const verificationReason = z.enum(verificationReasons);

documentValues('VerificationReason', verificationReason, 'Why a deposit has not verified by now.', {
  NOT_FOUND: 'The custodian knows no transaction with this hash.',
  UNCONFIRMED: 'The transaction has fewer confirmations than its network requires.',
  WRONG_ADDRESS: 'It was sent to another address than that of the operation.',
  WRONG_TOKEN: 'It is a transfer of another token.',
  WRONG_AMOUNT: 'It has another amount than exactly that of the operation.',
  WRONG_SENDER: 'It was sent from another wallet than the declared one.',
  FAILED_ON_CHAIN: 'The transaction failed on its network.',
  HELD_BY_CUSTODIAN: 'The custodian holds the deposit for a review.',
  FUNDS_ANOTHER_OPERATION: 'The transaction funds another operation.',
  CUSTODIAN_UNAVAILABLE: 'The custodian did not answer; the check is repeated.',
});
