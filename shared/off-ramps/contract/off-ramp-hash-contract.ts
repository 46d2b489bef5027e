import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { txHash } from '#shared/networks/network.ts';
import { hashStatus, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { attemptProgress } from '#shared/off-ramps/model/verification.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { noBody, noQuery } from '#shared/platform/http/fields.ts';
import { OFF_RAMPS_PATH, offRampErrors, operationPath } from './off-ramp-contract.ts';

const path = `${OFF_RAMPS_PATH}/{operation_id}/hash` as const;

const submitHashRequest = z.object({ txHash });

documentObject('SubmitHashRequest', submitHashRequest, "The hash of the user's transaction.", {
  txHash: {
    description:
      'The transaction hash, in the format of its network. EVM: `0x` and 64 hexadecimal digits; TRON and Stellar: 64 hexadecimal digits; Solana and SUI: base58.',
    pattern: '^(0x[0-9a-fA-F]{64}|[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{32,88})$',
    maxLength: 88,
  },
});

const submittedHash = z.object({ operationId: offRamp.shape.operationId, txHash, status: z.literal('VERIFYING') });

documentObject('SubmittedHash', submittedHash, 'A hash that is being verified.', {
  operationId: 'The off-ramp.',
  txHash: 'The hash as it is stored: without white space around it, hexadecimal digits in lower case.',
  status: 'Always `VERIFYING`. The read of the hash, and its events, have the result.',
});

export const submitOfframpHashContract = contract({
  name: 'submit-offramp-hash',
  method: 'POST',
  path,
  summary: 'Report the on-chain hash of the transaction that funds an off-ramp',
  access: 'approved-client',
  repeatable: true,
  pathParameters: operationPath,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: submitHashRequest,
  success: {
    status: 202,
    body: submittedHash,
  },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    offRampErrors.OFF_RAMP_NOT_FOUND,
    offRampErrors.OPERATION_NOT_AWAITING_DEPOSIT,
    offRampErrors.TX_HASH_ALREADY_DECLARED,
    offRampErrors.TOO_MANY_ATTEMPTS,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

const verificationSource = z.enum(['REPORTED', 'DETECTED']);

documentValues('VerificationSource', verificationSource, 'How the service learned of the deposit.', {
  REPORTED: 'By the hash that the client reported.',
  DETECTED: 'Automatically: without a report, or by another hash than the reported one.',
});

const verificationState = z.enum(['ACTIVE', 'WINDOW_ENDED']);

documentValues('VerificationState', verificationState, 'Whether the reported hash is still being checked.', {
  ACTIVE: 'Another check is to come.',
  WINDOW_ENDED: 'No check is to come. Submit the hash again to start a new verification.',
});

const checkedFact = z.enum(['ADDRESS', 'TOKEN', 'AMOUNT', 'SENDER', 'CONFIRMATIONS']);

documentValues('CheckedFact', checkedFact, 'The checked property of a deposit.', {
  ADDRESS: 'It was sent to the address of the off-ramp, with its tag if it has one.',
  TOKEN: 'It is of the token of the off-ramp, on its network.',
  AMOUNT: 'It has exactly the amount of the off-ramp.',
  SENDER: 'It was sent from the declared wallet.',
  CONFIRMATIONS: 'The custodian says that it is final.',
});

/** An addition to the interface (decisions.md 9, Evidence). */
export const verificationCheck = z.object({
  check: checkedFact,
  passed: z.boolean(),
  expected: z.string(),
  observed: z.optional(z.string()),
});

documentObject(
  'VerificationCheck',
  verificationCheck,
  'One property of a deposit, compared with what the off-ramp awaits.',
  {
    check: 'The property.',
    passed: 'Whether it is as expected.',
    expected:
      "The expected value: an address as the operation and its wallet have it, with `#` and the tag if there is one; a token as `{network}:{symbol}`; a decimal amount; what the custodian goes by: a number of confirmations, `custodian's policy` or `finalized block`.",
    observed:
      "The value of the deposit, in the same form, another address in its normal form; for another token the custodian's id of it; for the final block the number of its own one. Absent while the custodian does not know it.",
  },
);

/** Why a hash is not verified, and when the next check is: an addition to the interface (decisions.md 4). */
export const verificationProgress = z.object({
  source: verificationSource,
  state: z.optional(verificationState),
  ...attemptProgress.shape,
  checks: z.optional(z.readonly(z.array(verificationCheck))),
});

documentObject('Verification', verificationProgress, 'The verification of a deposit.', {
  source: 'How the service learned of the deposit.',
  state: 'Whether another check is to come. Only while the hash status is VERIFYING.',
  attempt: {
    description:
      'The number of submissions that have started a verification, this one included. Only for a reported hash.',
    minimum: 1,
    maximum: 100,
  },
  reason:
    'Why the last check did not verify the deposit. Absent before the first check and once the deposit is verified.',
  confirmations: { description: 'Confirmations that the transaction had at the last check.', minimum: 0 },
  requiredConfirmations: { description: 'Confirmations that the custodian asks for, where it counts.', minimum: 0 },
  lastCheckedAt: 'When the hash was last checked.',
  nextCheckAt: 'When the hash will be checked next. Absent when no check is to come.',
  windowEndsAt: 'When the checks of this attempt end. Only for a reported hash.',
  checks:
    'The checked properties of the verified deposit, or else of the deposit of the last check, as it is now. Only for a deposit to the address of the off-ramp.',
});

const offRampHash = z.object({
  operationId: offRamp.shape.operationId,
  operationStatus: offRamp.shape.status,
  txHash: z.nullable(txHash),
  verifiedTxHash: z.nullable(txHash),
  status: hashStatus,
  verification: z.optional(verificationProgress),
});

documentObject('OffRampHash', offRampHash, 'The hash that funds an off-ramp, and the status of its verification.', {
  operationId: 'The off-ramp.',
  operationStatus: 'Status of the off-ramp.',
  txHash: 'The reported hash; null if there is none.',
  verifiedTxHash: 'The hash of the confirmed deposit, whether reported or detected; null while there is none.',
  status: 'Status of the verification.',
  verification: 'Details. Absent until a hash is reported, or a deposit verified without one.',
});

export const getOfframpHashContract = contract({
  name: 'get-offramp-hash',
  method: 'GET',
  path,
  summary: 'Read the hash reported for an off-ramp and the hash verified with the custodian',
  access: 'client',
  pathParameters: operationPath,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: {
    status: 200,
    body: offRampHash,
  },
  errors: [apiErrors.UNAUTHORIZED, offRampErrors.OFF_RAMP_NOT_FOUND],
});
