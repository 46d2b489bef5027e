import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { retryOnConflict, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { createListedOffRamps, setAttributes } from './off-ramp-repository.ts';

/** The most off-ramps that are read and written at the same time. */
const AT_ONCE = 25;

/**
 * Erases the texts in which other services say how a user's off-ramps ended, because these may quote the payee. The
 * service's own reasons are codes, and stay.
 */
export function createForgetReasons(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const offRamps = createListedOffRamps(dynamo, table, clock);

  const forget = (operationId: string): Promise<void> =>
    retryOnConflict(clock, async () => {
      const [seen] = await offRamps.getAll([operationId]);
      if (seen === undefined || !hasReasons(seen)) return;
      const contradictions = seen.contradictions?.map(({ reason: _, ...kept }) => kept);
      const change = {
        ...(isEndedByOthers(seen) && { endReason: undefined }),
        ...(contradictions && { contradictions }),
      };
      const lost = await transact(dynamo, { operation: setAttributes(table, seen, change) });
      if (lost.size > 0) throw new WriteConflict('operation');
    });

  return async (userId: string): Promise<void> => {
    for await (const ids of inGroups(offRamps.idsOfUser({ userId }, undefined), AT_ONCE)) {
      const found = (await offRamps.getAll(ids)).filter((one) => one !== undefined && hasReasons(one));
      await Promise.all(found.map((one) => one && forget(one.operationId)));
    }
  };
}

const isEndedByOthers = ({ endedBy }: OffRamp) => endedBy !== undefined;

function hasReasons(operation: OffRamp): boolean {
  const { endReason, contradictions = [] } = operation;
  return (
    (isEndedByOthers(operation) && endReason !== undefined) || contradictions.some(({ reason }) => reason !== undefined)
  );
}
