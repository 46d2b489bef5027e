import { isDeepStrictEqual } from 'node:util';
import {
  type Network,
  type NetworkRules,
  normaliseTransactionHash,
  transactionHashFormat,
} from '#shared/networks/network.ts';
import {
  abortReturnContract,
  type recordReturnContract,
  type startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import type { FindOutgoing } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { operationPayingFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf, transferOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { isInPlaceOfSending, sendingGivenUp } from '#shared/off-ramps/model/return-changes.ts';
import {
  accountInWords,
  fitsFrozenReturn,
  heldInWords,
  isReturnOf,
  mayHaveLeftSince,
  nextReturnCheck,
  payoutHindrance,
  sendingIdOf,
} from '#shared/off-ramps/model/returns.ts';
import { MovementTaken, type Returning } from '#shared/off-ramps/transitions/return-deposit.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { operatorName } from '#shared/platform/operators/audit-records.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Confirm } from './confirm-deposit.ts';
import { findExistingDeposit, findOperationOfAddress, statusConflict } from './existing-deposit.ts';
import { orApiError, refuseUnlessUnchanged } from './refuse-unless-unchanged.ts';
import {
  answerWithReturn,
  findOwingOperation,
  findRequestedReturn,
  type ReturnDependencies,
  refuseUnlessApproved,
} from './request-return.ts';

interface Dependencies extends ReturnDependencies {
  readonly findOutgoing: FindOutgoing;
  readonly findTransfer: AskForTransfer;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  /** True if a hash has settled another deposit, from when hashes of returns were not yet looked up. */
  readonly isSettledBy: (hash: { network: Network; txHash: string }, custodianTransferId: string) => Promise<boolean>;
  readonly proposals: Proposals;
}

/** Marks a return by hand as being sent, before a person sends it: from then on only its result ends the return. */
export function startReturn(deps: Dependencies): Change<typeof startReturnContract> {
  return ({ custodianTransferId }, { who }) =>
    retryOnConflict(deps.clock, async () => {
      const deposit = await findRequestedReturn(deps, custodianTransferId);
      if (!deposit.return.isByHand) throw statusConflict('The service sends it: no person does.');
      refuseUnlessApproved(deposit, who);
      if (deposit.return.sendingAt !== undefined) return answerStarted(deposit, who);
      const { heldSince } = deps.terms;
      if (heldSince !== undefined)
        throw statusConflict(`${heldInWords(heldSince)} Send nothing. If it was sent already: record-return.`);
      const operation = await findOperationOfAddress(deps, deposit);
      await refuseUnlessSendable(deps, deposit, operation);
      return answerWithReturn(await begin(deps, deposit, who, operationPayingFor(operation, deposit)));
    });
}

async function begin(deps: Dependencies, deposit: Returning, who: string, operation?: OffRamp): Promise<Returning> {
  try {
    return await deps.returns.beginSending(deposit, { operation, startedBy: who });
  } catch (error) {
    if (error instanceof MovementTaken) throw statusConflict('Another record of the same movement is the deposit.');
    throw error;
  }
}

/** Answers a repeated start. Only the person who started the return sends it; otherwise it could be sent twice. */
function answerStarted(deposit: Returning, who: string) {
  const { sendingAt, startedBy } = deposit.return;
  if (startedBy === undefined || operatorName(startedBy) !== operatorName(who))
    throw statusConflict(`${startedBy ?? 'Somebody else'} has been sending it since ${sendingAt}.`);
  return answerWithReturn(deposit);
}

/** @throws {ApiError} with the reason why the deposit must not be sent back now */
async function refuseUnlessSendable(
  deps: Dependencies,
  deposit: Returning,
  operation: OffRamp | undefined,
): Promise<void> {
  const transfer = transferOf(deposit);
  if (transfer?.state !== 'CONFIRMED')
    throw statusConflict('It is not final any more: poll-deposit asks the custodian again.');
  if (!fitsFrozenReturn(deposit.network, transfer, deposit.return))
    throw statusConflict('The custodian has corrected it since its return was requested: decline that first.');
  const why = operation && payoutHindrance(operation, deposit, deps.clock.now());
  if (why !== undefined) throw statusConflict(why);
  await refuseUnlessUnchanged(deps, transfer);
}

/** Records the hash of a return. The hash is looked up first, so that only money that has left is recorded. */
export function recordReturn(deps: Dependencies): Change<typeof recordReturnContract> {
  return ({ custodianTransferId, hash: text }, { who }) =>
    retryOnConflict(deps.clock, async () => {
      const found = await findExistingDeposit(deps, custodianTransferId);
      const txHash = readHash(found.network, text);
      if (found.return?.txHash === txHash) return answerWithReturn(found);
      const deposit = await findRequestedReturn(deps, custodianTransferId);
      refuseUnlessApproved(deposit, who);
      const isStarted = deposit.return.sendingAt !== undefined;
      // A return by hand that was sent before the restore may have lost its start, and must not be started again.
      const isOfBefore = deps.terms.heldSince !== undefined && deposit.return.isByHand === true;
      if (!isStarted && !isOfBefore) throw statusConflict('Nobody has started it: start-return comes first.');
      const fitting = await findFitting(deps, deposit, txHash);
      const started = isStarted ? deposit : await begin(deps, deposit, who);
      return answerWithReturn(await finish(deps, started, txHash, fitting));
    });
}

/** Records the first fitting movement that no other deposit has: one movement returns one deposit. */
async function finish(
  deps: Dependencies,
  deposit: Returning,
  txHash: string,
  fitting: readonly OutgoingTransfer[],
): Promise<Deposit> {
  const now = deps.clock.now();
  const nextAt = nextReturnCheck(now, now, deps.networkRules[deposit.network]);
  for (const { movementId, externalId, block } of fitting) {
    // The state of the service's own sending says nothing about another movement.
    const isByHand = externalId !== sendingIdOf(deposit);
    try {
      return await deps.returns.finish(deposit, { txHash, movementId, isByHand, block }, nextAt);
    } catch (error) {
      if (!(error instanceof MovementTaken)) throw error;
    }
  }
  throw statusConflict('That transfer has returned another deposit: one movement returns one deposit.');
}

/**
 * Proposes to end a return because nothing was sent; another person confirms. A return that the service sends can be
 * aborted only after its custodian has given it up.
 */
export function abortReturn(deps: Dependencies): Change<typeof abortReturnContract> {
  return async ({ custodianTransferId }, asked) => {
    const deposit = await findToAbort(deps, custodianTransferId);
    const of = { command: abortReturnContract.name, about: custodianTransferId, arguments: { custodianTransferId } };
    const proposal = await deps.proposals.propose({ ...of, seen: seenOf(deposit) }, asked);
    const { body, ids } = answerWithReturn(deposit);
    return { body: { ...body, proposal }, ids, isProposed: true };
  };
}

export function confirmAbortion(deps: Dependencies): Confirm {
  return async ({ about, seen }, also) => {
    const deposit = await findToAbort(deps, about);
    if (!isDeepStrictEqual(seen, seenOf(deposit))) throw deps.proposals.changed();
    // The service's sending may have left since the custodian was asked: the return ends once the custodian confirms again.
    if (!deposit.return.isByHand || isInPlaceOfSending(deposit.return)) {
      const { body, ids } = answerWithReturn(
        await deps.returns.change(deposit, sendingGivenUp(deposit.return, deps.clock.now()), also),
      );
      return { body: { ...body, awaits: ASKED_AGAIN }, ids };
    }
    const { body, ids } = answerWithReturn(
      await deps.returns.end(deposit, { ...(await findOwingOperation(deps, deposit)), ...also }),
    );
    const { return: _, ...ended } = body;
    return { body: ended, ids };
  };
}

const ASKED_AGAIN =
  'It has not ended yet: it ends once the custodian says again that it has given it up. deposit shows what came of it.';

async function findToAbort(deps: Dependencies, custodianTransferId: string): Promise<Returning> {
  const deposit = await findRequestedReturn(deps, custodianTransferId);
  const { sendingAt, isByHand, mayStillArrive, givenUpAt } = deposit.return;
  if (sendingAt === undefined) throw statusConflict('It is not being sent: decline-return ends it.');
  if (!isByHand && !mayStillArrive)
    throw statusConflict('The service is sending it, and its custodian has not given it up.');
  if (givenUpAt !== undefined)
    throw statusConflict(`Two persons have given it up, at ${givenUpAt}: it ends by itself.`);
  return deposit;
}

/** Identifies one start of one sending. */
function seenOf(deposit: Returning) {
  const { sequence = 0, return: returning } = deposit;
  return {
    sequence,
    sending: sendingIdOf(deposit),
    sendingAt: returning.sendingAt ?? '',
    status: depositStatusOf(deposit),
  };
}

function readHash(network: Network, text: string): string {
  const hash = normaliseTransactionHash(network, text);
  if (hash !== undefined) return hash;
  const message = `must be a transaction hash of ${network}: ${transactionHashFormat(network)}`;
  throw invalid({ path: 'body.arguments.hash', code: 'INVALID_FORMAT', message });
}

/** Finds the transfers out of our accounts that may be this return. @throws {ApiError} if there are none */
async function findFitting(
  deps: Dependencies,
  deposit: Returning,
  txHash: string,
): Promise<readonly OutgoingTransfer[]> {
  const { network, custodianTransferId } = deposit;
  if (await deps.isSettledBy({ network, txHash }, custodianTransferId))
    throw statusConflict('That transaction has settled another deposit.');
  const { amount, assetId } = deposit.return;
  const since = mayHaveLeftSince(deposit.return, deps.terms.heldSince);
  const left = await orApiError(deps.findOutgoing({ network, txHash, since }));
  const fitting = left.filter((one) => isReturnOf(deposit, deposit.return, one, deps.terms));
  if (fitting.length === 0)
    throw statusConflict(
      `That transaction has no transfer of ${amount} ${assetId} from an account of the stage to ${accountInWords(deposit.return)}.`,
    );
  const { isByHand, mayStillArrive } = deposit.return;
  const own = fitting.filter(({ externalId }) => isByHand || mayStillArrive || externalId !== undefined);
  if (own.length === 0)
    throw statusConflict(
      'The service is sending it, and that transfer is not the one that it sends: look at both first.',
    );
  const final = own.filter(({ state }) => state === 'CONFIRMED');
  if (final.length === 0) throw statusConflict('That transfer is not final: record it once it is.');
  return final;
}
