import { parseWrittenAddress } from '#shared/networks/address-checksum.ts';
import { networkSpecs, withTag } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import type {
  approveReturnContract,
  declineReturnContract,
  requestReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import { isOwed, operationPayingFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf, operationOf } from '#shared/off-ramps/model/deposit.ts';
import { returnApproved, returnRequested } from '#shared/off-ramps/model/return-changes.ts';
import { awaitedPerson } from '#shared/off-ramps/model/return-next-step.ts';
import {
  addressDigest,
  financeHindrance,
  hasApprovals,
  isSender,
  newReturn,
  type ReturnTerms,
  senderOf,
} from '#shared/off-ramps/model/returns.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { isReturning, type Returning, type Returns } from '#shared/off-ramps/transitions/return-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { operatorName } from '#shared/platform/operators/audit-records.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import { findExistingDeposit, findOperationOfAddress, statusConflict, statusInWords } from './existing-deposit.ts';

/** What the person has to find out before the return of a credited deposit. */
const PAID_OR_NOT = 'yes, once you know that nothing was paid out for this credited deposit (--payout-never-made yes)';

export interface ReturnDependencies {
  readonly findDeposit: FindDeposit;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly returns: Returns;
  readonly terms: ReturnTerms;
  /** The amount up to which one approver is enough, by the custodian's id of the asset. */
  readonly onePersonUpTo: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** Requests the return of a deposit. A repeated call changes nothing. */
export function requestReturn(deps: ReturnDependencies): Change<typeof requestReturnContract> {
  return ({ custodianTransferId, payoutNeverMade, ...given }, { who }) =>
    retryOnConflict(deps.clock, async () => {
      const deposit = await findExistingDeposit(deps, custodianTransferId);
      const named = readAddress(deposit, given.address, given.tag, 'address');
      if (isReturning(deposit)) return answerRepeated(deposit, named, given.tag);
      const operation = await findOperationOfAddress(deps, deposit);
      const now = deps.clock.now();
      const why = financeHindrance(deposit, operation, deps.terms, now);
      if (why !== undefined) throw statusConflict(why);
      if (deposit.creditedAt !== undefined && payoutNeverMade === undefined)
        throw missing('payoutNeverMade', PAID_OR_NOT);
      const to = whereTo(deposit, named, given.tag);
      const { fees } = deps.terms;
      const isAddressGiven = senderOf(deposit) === undefined || fees[deposit.transfer?.assetId ?? ''] === undefined;
      const request = { to, by: who, isAddressGiven, onePersonUpTo: deps.onePersonUpTo };
      const change = returnRequested(newReturn(deposit, operation, deps.terms, request, now));
      return answerWithReturn(
        await deps.returns.change(deposit, change, { operation: operationPayingFor(operation, deposit) }),
      );
    });
}

/** Approves a return. Nobody approves a return that they requested, in whatever role, and nobody approves twice. */
export function approveReturn(deps: ReturnDependencies): Change<typeof approveReturnContract> {
  return ({ custodianTransferId, confirmAddress, tag }, { who }) =>
    retryOnConflict(deps.clock, async () => {
      const deposit = await findRequestedReturn(deps, custodianTransferId);
      refuseApproval(deposit, who, readAddress(deposit, confirmAddress, tag, 'confirmAddress'), tag);
      const { approvals } = deposit.return;
      if (approvals.some(({ by }) => operatorName(by) === operatorName(who))) return answerWithReturn(deposit);
      if (hasApprovals(deposit.return)) throw statusConflict('It has all of its approvals: deposit says who sends it.');
      return answerWithReturn(
        await deps.returns.change(deposit, returnApproved(deposit.return, who, deps.clock.now())),
      );
    });
}

/** @throws {ApiError} with the reason why this person cannot approve the return */
function refuseApproval(
  { return: frozen }: Returning,
  who: string,
  confirmed: AccountAddress | undefined,
  tag: string | undefined,
): void {
  if (operatorName(frozen.requestedBy) === operatorName(who))
    throw statusConflict('You have requested it yourself: another person has to approve it.');
  if (frozen.isAddressGiven && confirmed === undefined)
    throw missing('confirmAddress', 'the address of the return, repeated');
  if (!isReturnAddress(frozen, confirmed, tag))
    throw statusConflict('It goes to another address: look at the deposit.');
}

/** Ends a return that is not being sent yet. Takes one person. */
export function declineReturn(deps: ReturnDependencies): Change<typeof declineReturnContract> {
  return ({ custodianTransferId }) =>
    retryOnConflict(deps.clock, async () => {
      const deposit = await findRequestedReturn(deps, custodianTransferId);
      if (deposit.return.sendingAt !== undefined)
        throw statusConflict(`Its sending began at ${deposit.return.sendingAt}: it can no longer be declined.`);
      return answerWithReturn(await deps.returns.end(deposit, await findOwingOperation(deps, deposit)));
    });
}

/** Finds the off-ramp of a credited deposit, and whether it owes it: that decides its list after the return. */
export async function findOwingOperation({ operations }: Pick<ReturnDependencies, 'operations'>, deposit: Returning) {
  const { operationId, creditedAt } = deposit;
  if (creditedAt === undefined || operationId === undefined) return { isOwed: false };
  const operation = await operations.find(operationId);
  return { isOwed: operation !== undefined && isOwed(operation), operation };
}

/** Finds a deposit whose return was requested and not yet made. @throws {ApiError} */
export async function findRequestedReturn(deps: ReturnDependencies, custodianTransferId: string): Promise<Returning> {
  const deposit = await findExistingDeposit(deps, custodianTransferId);
  if (!isReturning(deposit)) throw statusConflict(`It is ${statusInWords(deposit)}: request-return comes first.`);
  if (deposit.return.returnedAt !== undefined) throw statusConflict(`It was sent back, by ${deposit.return.txHash}.`);
  return deposit;
}

/** Refuses to send a return without its approvals, or by the person who requested it. @throws {ApiError} */
export function refuseUnlessApproved({ return: { requestedBy, approvals, approversNeeded } }: Returning, who: string) {
  if (approvals.length < approversNeeded)
    throw statusConflict(`It has ${approvals.length} of ${approversNeeded} approvals: approve-return comes first.`);
  if (operatorName(requestedBy) === operatorName(who))
    throw statusConflict('You have requested it yourself: an approver, or a third person, has to do this.');
}

export function answerWithReturn(deposit: Deposit) {
  const { custodianTransferId, clientId, userId, return: returning } = deposit;
  const operationId = operationOf(deposit);
  return {
    body: {
      ...{ custodianTransferId, operationId, status: depositStatusOf(deposit), return: returning },
      awaits: awaitedPerson(deposit),
    },
    ids: {
      ...{ custodianTransferId, operationId, clientId, userId },
      ...(returning && { address: addressDigest(returning) }),
    },
  };
}

function answerRepeated(deposit: Returning, named: AccountAddress | undefined, tag: string | undefined) {
  if (isReturnAddress(deposit.return, named, tag)) return answerWithReturn(deposit);
  throw statusConflict(`Its return was requested already, at ${deposit.return.requestedAt}, to another address.`);
}

/** The address of a return: the sender's, or the one that finance names if the sender is unknown. */
function whereTo(deposit: Deposit, named: AccountAddress | undefined, tag: string | undefined): AccountAddress {
  const sender = senderOf(deposit);
  if (sender === undefined) {
    if (named === undefined) throw missing('address', 'the custodian names no sender');
    return named;
  }
  if (named !== undefined && !isSender(sender, named))
    throw statusConflict(`It is sent back to its sender alone: ${deposit.transfer?.fromAddress}.`);
  return named ?? tagged(sender, tag, 'the address of the sender');
}

/** True if the request names the frozen address and tag. A tag without an address is compared alone. */
function isReturnAddress(
  frozen: NonNullable<Deposit['return']>,
  named: AccountAddress | undefined,
  tag: string | undefined,
): boolean {
  if (named === undefined) return tag === undefined || tag === frozen.tag;
  return named.address === frozen.address && named.tag === frozen.tag;
}

function readAddress(
  { network }: Deposit,
  text: string | undefined,
  tag: string | undefined,
  field: 'address' | 'confirmAddress',
): AccountAddress | undefined {
  if (tag !== undefined && !networkSpecs[network].family.hasTags)
    throw invalid({ path: 'body.arguments.tag', code: 'NOT_ALLOWED', message: `is not known on ${network}` });
  if (text === undefined) return undefined;
  const read = parseWrittenAddress(network, text);
  if ('fault' in read) throw invalid({ path: `body.arguments.${field}`, code: 'INVALID_FORMAT', message: read.fault });
  return tagged(read, tag, field);
}

function tagged(account: AccountAddress, tag: string | undefined, where: string): AccountAddress {
  const whole = withTag(account, tag);
  if (whole !== undefined) return whole;
  throw invalid({ path: 'body.arguments.tag', code: 'INVALID', message: `must be the one inside ${where}, or absent` });
}

function missing(field: string, what: string): ApiError {
  return invalid({ path: `body.arguments.${field}`, code: 'REQUIRED', message: `is required: ${what}` });
}
