import { approvalAfter, type IncomingApproval, statusOf } from '#shared/clients/client-approval.ts';
import type { ClientApprovals } from '#shared/clients/client-approval-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly approvals: ClientApprovals;
  readonly clock: Clock;
}

/** Applies what compliance says of a client. A result that is known already, or older than the known one, changes nothing. */
export function changeClient({ approvals, clock }: Dependencies) {
  return (clientId: string, incoming: IncomingApproval): Promise<void> =>
    retryOnConflict(clock, async () => {
      const seen = await approvals.find(clientId);
      if (seen === undefined) return log.error('STATUS_CHANGE_REFUSED', { clientId });
      const after = approvalAfter(seen, incoming);
      if (after === undefined) return log.info('STATUS_CHANGE_REPEATED', { clientId });
      await approvals.change(seen, after);
      log.info('STATUS_CHANGED', { clientId, from: statusOf(seen), to: statusOf(after) });
    });
}
