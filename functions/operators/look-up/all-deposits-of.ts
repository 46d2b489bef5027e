import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { ListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';

/** Of every page, and the ids of those that cannot be read. */
export async function allDepositsOf(list: ListDepositsOf, operationId: string) {
  const deposits: Deposit[] = [];
  const unreadableIds: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(operationId, cursor);
    deposits.push(...(page?.deposits ?? []));
    unreadableIds.push(...(page?.unreadableIds ?? []));
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return { deposits, unreadableIds };
}
