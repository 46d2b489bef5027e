import type * as z from 'zod/mini';
import { type FindClient, isApproved } from '#shared/clients/client-repository.ts';
import { eventSubject } from '#shared/events/service-event.ts';
import { describeHash } from '#shared/off-ramps/contract/describe-hash.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { describeDepositForOperator } from '#shared/off-ramps/contract/operator-lookups.ts';
import { operationNextStep } from '#shared/off-ramps/model/next-step.ts';
import { type OffRamp, statusHistoryOf } from '#shared/off-ramps/model/off-ramp.ts';
import { type ListDepositsOf, readAllDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import type { FindOperation } from '#shared/off-ramps/store/find-operation.ts';
import type { readOperationContract, referencedOperation } from '#shared/operators/lookups.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from '#shared/platform/operators/list-changes.ts';
import type { ListOpenProposals } from '#shared/platform/operators/proposal-repository.ts';
import { type EventsAndDeliveriesDependencies, listEventsAndDeliveries } from './events-and-deliveries.ts';
import { withLateEvent } from './late-event.ts';

interface Dependencies extends EventsAndDeliveriesDependencies {
  readonly findOperation: FindOperation;
  readonly findClient: FindClient;
  readonly listDepositsOf: ListDepositsOf;
  readonly listByReference: ListOffRampsByReference;
  readonly listChanges: ListChanges;
  readonly listOpenProposals: ListOpenProposals;
  readonly heldSince: string | undefined;
  readonly clock: Clock;
}

type ListOffRampsByReference = (reference: string) => Promise<z.infer<typeof referencedOperation>[]>;

type Answer = z.infer<(typeof readOperationContract)['success']['body']>;

export function readOperation(deps: Dependencies): UseCase<typeof readOperationContract> {
  return async ({ query }) => {
    const { operation: text, user } = query();
    const state = await deps.findOperation(text, user);
    if (state === undefined) throw notFound(user);
    const { operation } = state;
    const { operationId, clientId, userId, externalReference } = operation;
    const [client, { deposits, unreadableIds }, eventsAndDeliveries, referenced] = await Promise.all([
      deps.findClient(clientId),
      readAllDepositsOf(deps.listDepositsOf, operationId),
      listEventsAndDeliveries(deps, eventSubject('operation', operationId), clientId),
      externalReference === undefined ? [] : deps.listByReference(externalReference),
    ]);
    const others = referenced.filter((one) => one.operationId !== operationId);
    const itself = [operationId, ...deposits.map(({ custodianTransferId }) => custodianTransferId)];
    const [changes, proposals] = await Promise.all([deps.listChanges(...itself), deps.listOpenProposals()]);
    const now = deps.clock.now();
    const known = { ...state, deposits, proposals, heldSince: deps.heldSince, isApproved: isApproved(client), now };
    return {
      body: {
        ...operation,
        next: withLateEvent(operationNextStep(known), eventsAndDeliveries.events, now),
        ...(others.length > 0 && { othersOfReference: others }),
        hash: describeHash(state, now),
        statusHistory: statusHistoryOf(operation),
        deposits: deposits.map(describeDepositForOperator),
        contradictions: operation.contradictions && [...operation.contradictions],
        ...(unreadableIds.length > 0 && { unreadableDeposits: unreadableIds }),
        payout: payoutOf(operation),
        ...eventsAndDeliveries,
        changes,
      },
      ids: { operationId, clientId, userId },
    };
  };
}

function notFound(user: string | undefined): ApiError {
  const detail =
    user === undefined
      ? 'No off-ramp has this id, hash, deposit address or reference. deposit <hash> shows a transfer of no off-ramp; search-hash looks for one that nobody has reported.'
      : 'No off-ramp of this user has this reference.';
  return new ApiError(offRampErrors.OFF_RAMP_NOT_FOUND, { detail });
}

/** Without a deposit no payout is due. PENDING covers compliance and payout, so the answer cannot tell them apart. */
function payoutOf({ status, verifiedTxHash, creditedAt, endedAt, endReason, payout }: OffRamp): Answer['payout'] {
  if (status === 'AWAITING_DEPOSIT' || verifiedTxHash === undefined) return { status: 'NOT_DUE' };
  const at = { since: endedAt ?? creditedAt, reason: endReason };
  return status === 'PENDING' ? { status: 'AWAITED', ...at } : { status, ...at, ...payout };
}
