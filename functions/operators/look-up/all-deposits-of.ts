import type { Deposit } from '#shared/off-ramps/deposit.ts';
import type { ListDepositsOf } from '#shared/off-ramps/operation-deposits.ts';

/** Of every page. */
export async function allDepositsOf(list: ListDepositsOf, operationId: string): Promise<readonly Deposit[]> {
  const deposits: Deposit[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(operationId, cursor);
    deposits.push(...(page?.deposits ?? []));
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return deposits;
}
