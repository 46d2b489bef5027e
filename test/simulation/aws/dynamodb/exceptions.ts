import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';

import type { Item } from './attribute-values.ts';

/** A request that DynamoDB does not take, whatever is in the table: always a fault of the service. */
export function invalid(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}

/** What DynamoDB calls a request for more than a table or a partition takes at the moment. */
export type Throttling = 'ThrottlingException' | 'ProvisionedThroughputExceededException';

/** More than the table takes at the moment; the SDK has tried three times. */
export function throttled(name: Throttling): DynamoDBServiceException {
  const message = 'Throughput exceeds the current capacity.';
  return new DynamoDBServiceException({ name, $fault: 'client', message, $metadata: {} });
}

/** A transaction has the item. */
export function conflicting(): TransactionConflictException {
  return withoutStack(
    () => new TransactionConflictException({ message: 'Transaction is ongoing for the item', $metadata: {} }),
  );
}

/** The SDK has sent a transaction again, whose answer was late, before it was done. */
export function stillInProgress(): TransactionInProgressException {
  const message = 'Transaction is in progress for the given token';
  return withoutStack(() => new TransactionInProgressException({ message, $metadata: {} }));
}

/** Whether it has done anything, nobody knows. */
export function failedInside(): DynamoDBServiceException {
  return new DynamoDBServiceException({
    name: 'InternalServerError',
    $fault: 'server',
    message: 'The request processing has failed because of an unknown error.',
    $metadata: {},
  });
}

/** The answer was lost on its way; whether anything was written, nobody knows. */
export class AnswerLost extends Error {
  override readonly name = 'TimeoutError';
}

export function conditionFailed(item: { readonly Item?: Item }): ConditionalCheckFailedException {
  return withoutStack(
    () => new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {}, ...item }),
  );
}

export function cancelled(reasons: readonly CancellationReason[]): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join();
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return withoutStack(
    () => new TransactionCanceledException({ message, CancellationReasons: [...reasons], $metadata: {} }),
  );
}

/** What is refused is refused all the time: where in here it was, nobody asks, and to find out costs more than the rest. */
function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
