import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';

import type { Item } from './attribute-values.ts';

/** A request that DynamoDB rejects whatever the table contains: always a fault of the service. */
export function invalid(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}

/** The names of DynamoDB's exceptions for too many requests to a table or a partition. */
export type Throttling = 'ThrottlingException' | 'ProvisionedThroughputExceededException';

/** Too many requests at the moment; the SDK has tried three times. */
export function throttled(name: Throttling): DynamoDBServiceException {
  const message = 'Throughput exceeds the current capacity.';
  return new DynamoDBServiceException({ name, $fault: 'client', message, $metadata: {} });
}

/** A transaction holds the item. */
export function conflicting(): TransactionConflictException {
  return withoutStack(
    () => new TransactionConflictException({ message: 'Transaction is ongoing for the item', $metadata: {} }),
  );
}

/** The SDK repeated a transaction whose answer was late, before it was done. */
export function stillInProgress(): TransactionInProgressException {
  const message = 'Transaction is in progress for the given token';
  return withoutStack(() => new TransactionInProgressException({ message, $metadata: {} }));
}

/** An error inside DynamoDB: it is unknown whether the request was done. */
export function failedInside(): DynamoDBServiceException {
  return new DynamoDBServiceException({
    name: 'InternalServerError',
    $fault: 'server',
    message: 'The request processing has failed because of an unknown error.',
    $metadata: {},
  });
}

/** The answer was lost: it is unknown whether anything was written. */
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

/** Refusals are frequent, and a stack trace would cost more than the rest of the request. */
function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
