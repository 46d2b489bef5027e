import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { returnUndone } from '#shared/off-ramps/model/return-changes.ts';
import { isReturnOf, mayHaveLeftSince, nextReturnCheck, sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import type { Returning } from '#shared/off-ramps/transitions/return-deposit.ts';
import { log } from '#shared/platform/logger.ts';
import type { SendDependencies } from './send-return.ts';

/**
 * Rechecks a transaction that has returned a deposit, because a reorganisation may undo it. An answer without the
 * transaction proves nothing. The deposit is polled at the same times: a reorganisation may undo it, too, and no chain
 * notifies of that.
 */
export async function watchReturn(deps: SendDependencies, seen: Returning): Promise<void> {
  const now = deps.clock.now();
  const { return: frozen, network, custodianTransferId } = seen;
  if (await isUndone(deps, seen)) {
    await deps.returns.change(seen, returnUndone(frozen, now));
    log.error('RETURN_UNDONE', { custodianTransferId, txHash: frozen.txHash, sending: sendingIdOf(seen) });
    return;
  }
  const nextAt = nextReturnCheck(new Date(frozen.returnedAt ?? now), now, deps.networkRules[network]);
  const returnState = nextAt === undefined ? undefined : ('WATCHED' as const);
  await deps.returns.change(seen, { returnState, returnDueAt: nextAt }, { poll: true });
}

async function isUndone({ findSending, findOutgoing, terms }: SendDependencies, seen: Returning): Promise<boolean> {
  const { return: frozen, network } = seen;
  if (!frozen.isByHand) {
    const known = await findSending({ network, externalId: sendingIdOf(seen) });
    return known?.state === 'FAILED';
  }
  const { txHash = '' } = frozen;
  const since = mayHaveLeftSince(frozen, terms.restoredAt);
  const found = await findOutgoing({ network, txHash, since, seen: recordedOf(seen) });
  const left = found.filter((one) => isReturnOf(seen, frozen, one, terms));
  return left.length > 0 && left.every(({ state }) => state === 'FAILED' || state === 'GONE');
}

/** The movement as it was recorded, if its block is known: only then a chain can say that the movement is gone. */
function recordedOf({ network, return: frozen }: Returning): OutgoingTransfer | undefined {
  const { txHash = '', returnedAt, block, from, address: toAddress, tag: toTag, assetId, amount } = frozen;
  if (returnedAt === undefined || block === undefined) return undefined;
  const transfer = { network, txHash, state: 'CONFIRMED', from, toAddress, assetId, amount, block } as const;
  return { movementId: '', ...transfer, ...(toTag !== undefined && { toTag }), createdAt: returnedAt };
}
