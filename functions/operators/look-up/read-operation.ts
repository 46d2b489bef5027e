import type * as z from 'zod/mini';
import type { FindClient } from '#shared/clients/client-store.ts';
import { hashStatusOf, type OffRamp } from '#shared/off-ramps/off-ramp.ts';
import type { OffRampState } from '#shared/off-ramps/off-ramp-store.ts';
import type { ListDepositsOf } from '#shared/off-ramps/operation-deposits.ts';
import type { VerificationReason } from '#shared/off-ramps/verification.ts';
import { reasonsInWords } from '#shared/off-ramps/verification.ts';
import { executionName } from '#shared/off-ramps/verification-executions.ts';
import { type readOperation as contract, lookedUpHash } from '#shared/operators/operation-lookup.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { allDepositsOf } from './all-deposits-of.ts';
import { describeDeposit } from './describe-deposit.ts';
import type { FindOperation } from './find-operation.ts';
import { isApproved } from './is-approved.ts';
import { operationNextStep } from './operation-next-step.ts';
import { type Telling, toldOf } from './told-of.ts';

interface Dependencies extends Telling {
  readonly findOperation: FindOperation;
  readonly findClient: FindClient;
  readonly listDepositsOf: ListDepositsOf;
  readonly clock: Clock;
}

type Answer = z.infer<(typeof contract)['success']['body']>;

export function readOperation(deps: Dependencies): UseCase<typeof contract> {
  return async ({ query }) => {
    const { operation: text, user } = query();
    const state = await deps.findOperation(text, user);
    if (state === undefined) throw notFound(user);
    const { operation } = state;
    const { operationId, clientId, userId } = operation;
    const [client, deposits, told] = await Promise.all([
      deps.findClient(clientId),
      allDepositsOf(deps.listDepositsOf, operationId),
      toldOf(deps, operationId, clientId),
    ]);
    const known = { ...state, deposits, isApproved: isApproved(client), now: deps.clock.now() };
    return {
      body: {
        ...operation,
        next: operationNextStep(known),
        hash: hashOf(state),
        statusHistory: [...operation.statusHistory],
        deposits: deposits.map(describeDeposit),
        payout: payoutOf(operation),
        ...told,
      },
      ids: { operationId, clientId, userId },
    };
  };
}

function notFound(user: string | undefined): ApiError {
  const detail =
    user === undefined
      ? 'No off-ramp has this id, hash or deposit address. To look for a reference, say whose it is, with --user.'
      : 'No off-ramp of this user has this reference.';
  return new ApiError('OFF_RAMP_NOT_FOUND', { detail });
}

function hashOf({ operation, verification }: OffRampState): Answer['hash'] {
  const status = hashStatusOf(operation);
  return lookedUpHash.parse({
    ...verification,
    ...operation,
    status,
    inWords: inWords(status, verification?.reason),
    ...(verification && { execution: executionName(verification) }),
  });
}

function inWords(status: Answer['hash']['status'], reason: VerificationReason | undefined): string {
  switch (status) {
    case 'VERIFIED':
      return 'The custodian has confirmed the deposit.';
    case 'NOT_VERIFIED':
      return 'The operation ended without a confirmed deposit.';
    case 'NOT_SUBMITTED':
      return 'No hash was reported, and no deposit is confirmed.';
    default:
      return reason === undefined ? 'It was not looked up yet.' : reasonsInWords[reason];
  }
}

/** Of compliance and payouts together, which say of each other's work nothing here. */
function payoutOf({ status, statusHistory }: OffRamp): Answer['payout'] {
  const since = statusHistory.findLast((one) => one.status === status);
  const at = { ...(since && { since: since.at }), ...(since?.reason !== undefined && { reason: since.reason }) };
  if (status === 'AWAITING_DEPOSIT') return { status: 'NOT_DUE' };
  return status === 'PENDING' ? { status: 'AWAITED', ...at } : { status, ...at };
}
