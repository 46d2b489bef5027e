import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type HashStatus, hashStatusOf, type OffRamp, type OperationStatus } from '#shared/domain/operation.ts';
import { toItem } from './client.ts';

/** What a status change of an operation tells the client; never personal data (decisions.md 7, Payload). */
interface StatusChanged {
  readonly type: 'ramp.operation.status_changed' | 'ramp.deposit_hash.status_changed';
  readonly status: OperationStatus | HashStatus;
  readonly previousStatus: OperationStatus | HashStatus | null;
}

interface EventSource {
  readonly table: string;
  readonly now: Date;
  readonly newId: () => string;
}

/**
 * The events of one write, as items of its own transaction: what is in the table is what gets told. `before` is the
 * operation as it was read, `after` as the transaction leaves it.
 */
export function statusEvents(
  source: EventSource,
  before: OffRamp | undefined,
  after: OffRamp,
): { operationEvent?: TransactWriteItem; hashEvent?: TransactWriteItem } {
  const [hashBefore, hashAfter] = [before && hashStatusOf(before), hashStatusOf(after)];
  return {
    ...(before?.status !== after.status && {
      operationEvent: putEvent(source, after, {
        type: 'ramp.operation.status_changed',
        status: after.status,
        previousStatus: before?.status ?? null,
      }),
    }),
    ...(hashBefore !== undefined &&
      hashBefore !== hashAfter && {
        hashEvent: putEvent(source, after, {
          type: 'ramp.deposit_hash.status_changed',
          status: hashAfter,
          previousStatus: hashBefore,
        }),
      }),
  };
}

function putEvent(source: EventSource, operation: OffRamp, change: StatusChanged): TransactWriteItem {
  const { operationId, clientId, userId, sequence, txHash, verifiedTxHash } = operation;
  const hashes = change.type === 'ramp.deposit_hash.status_changed' ? { txHash, verifiedTxHash } : {};
  return {
    Put: {
      TableName: source.table,
      Item: toItem({
        operationId,
        record: `EVENT#${String(sequence).padStart(6, '0')}#${change.type}`,
        eventId: `evt_${source.newId()}`,
        clientId,
        type: change.type,
        timestamp: source.now.toISOString(),
        data: {
          operationId,
          userId,
          status: change.status,
          previousStatus: change.previousStatus,
          sequence,
          ...hashes,
        },
      }),
      ConditionExpression: 'attribute_not_exists(operationId)',
    },
  };
}
