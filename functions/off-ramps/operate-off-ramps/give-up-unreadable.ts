import type { giveUpUnreadableContract } from '#shared/off-ramps/contract/operator-commands.ts';
import type { GiveUpUnreadable } from '#shared/off-ramps/store/deposit-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

const NOT_LISTED =
  'The list unreadable has no transfer with this id that was never readable. A transfer that was readable once is polled for a year.';

export function giveUpUnreadable(giveUp: GiveUpUnreadable): Change<typeof giveUpUnreadableContract> {
  return async ({ custodianTransferId }) => {
    if (!(await giveUp(custodianTransferId))) throw new ApiError(apiErrors.NOT_FOUND, { detail: NOT_LISTED });
    return { body: { custodianTransferId }, ids: { custodianTransferId } };
  };
}
