import { declareErrors } from '#shared/platform/http/api-errors.ts';

/** Refusals of requests about off-ramps, their hashes and deposits. */
export const offRampErrors = declareErrors({
  OFF_RAMP_NOT_FOUND: [
    404,
    'The user has no off-ramp operation with this id that is funded from an external wallet. Check both ids.',
  ],
  OPERATION_NOT_AWAITING_DEPOSIT: [
    409,
    'The operation no longer awaits a deposit. Read it to see its status; another deposit needs another operation.',
  ],
  OPERATION_STATUS_CONFLICT: [
    409,
    'The status of the operation does not allow this change. Read the operation to see its status.',
  ],
  TX_HASH_ALREADY_DECLARED: [
    409,
    'Another operation has declared this hash or was funded by it. Submit the hash of the transaction that funds this operation.',
  ],
  DEPOSIT_IN_PROGRESS: [
    409,
    'A deposit for the operation is on its way, so it cannot be cancelled. Wait until the deposit is verified or has failed.',
  ],
  TOO_MANY_ATTEMPTS: [
    409,
    'The operation has used all of its 100 verification attempts. Its deposit is still detected without a hash; if it is not, ask for help.',
  ],
  SANDBOX_DEPOSIT_TAKEN: [
    409,
    'Another client has created this simulated transaction, and only that client can change it. Use another hash.',
  ],
});
