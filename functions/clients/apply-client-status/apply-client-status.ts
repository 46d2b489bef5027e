import { clientStatusOf, decideApproval } from '#shared/clients/client-approval.ts';
import type { ClientApprovals } from '#shared/clients/client-repository.ts';
import { queuedClientStatus, toIncomingApproval } from '#shared/clients/incoming-client-status.ts';
import type { Arrival } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { parseExactly } from '#shared/platform/exact-json.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly approvals: ClientApprovals;
  readonly clock: Clock;
}

/**
 * Applies a compliance result to a client. A known result, or an approval that is too old, changes nothing. A result
 * that cannot be read or written throws: it is received again, and ends in the dead letters.
 */
export function applyClientStatus({ approvals, clock }: Dependencies) {
  return async (message: string, { sentAt }: Pick<Arrival, 'sentAt'>): Promise<void> => {
    const result = toIncomingApproval(queuedClientStatus.parse(parseExactly(message)), sentAt);
    await retryOnConflict(clock, async () => {
      const { clientId, eventId, at } = result;
      const seen = await approvals.find(clientId);
      if (seen === undefined) return log.error('STATUS_CHANGE_REFUSED', { clientId });
      const { after, isTooOld } = decideApproval(seen, result, clock.now());
      if (after !== undefined) {
        await approvals.change(seen, after);
        log.info('STATUS_CHANGED', { clientId, eventId, from: clientStatusOf(seen), to: clientStatusOf(after) });
      }
      if (isTooOld) return log.warn('APPROVAL_IGNORED', { clientId, eventId, at, withheldBy: seen.withheld?.eventId });
      if (after === undefined) log.info('STATUS_CHANGE_REPEATED', { clientId, eventId });
    });
  };
}
