import type { Item } from '#shared/platform/dynamodb/client.ts';
import { shardOf } from '#shared/platform/dynamodb/shards.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { OffRamp, StatusChange } from './off-ramp.ts';
import { setAttributes } from './off-ramp-store.ts';

/** The leg that moves the operation on by its deposit, which is verified: it waits for its payout from now on. */
export function markCredited(
  table: string,
  seen: OffRamp,
  at: string,
  { verifiedTxHash, verifiedTransferId }: Required<Pick<OffRamp, 'verifiedTxHash' | 'verifiedTransferId'>>,
): TransactionLeg {
  const { operationId } = seen;
  return changeStatus(
    table,
    seen,
    { status: 'PENDING', at },
    {
      ...{ verifiedTxHash, verifiedTransferId, creditedAt: at },
      creditedShard: shardOf('CREDITED', operationId),
      pendingShard: shardOf('PENDING', operationId),
    },
  );
}

/** The leg that ends the operation, with what is known of its end. */
export function markEnded(
  table: string,
  seen: OffRamp,
  end: StatusChange,
  known: Partial<OffRamp> & { readonly contradictedShard?: string },
): TransactionLeg {
  return changeStatus(table, seen, end, { ...known, pendingShard: undefined });
}

function changeStatus(table: string, seen: OffRamp, entry: StatusChange, further: Item): TransactionLeg {
  const statusHistory = [...seen.statusHistory, entry];
  return setAttributes(table, seen, { status: entry.status, statusHistory, awaitingShard: undefined, ...further });
}
