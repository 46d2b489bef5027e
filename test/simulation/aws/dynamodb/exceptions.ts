import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** A request that DynamoDB does not take, whatever is in the table: always a fault of the service. */
export function invalid(message: string): DynamoDBServiceException {
  return new DynamoDBServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}

/** More than the table takes at the moment; the SDK has tried three times. */
export function throttled(): DynamoDBServiceException {
  return new DynamoDBServiceException({
    name: 'ThrottlingException',
    $fault: 'client',
    message: 'Throughput exceeds the current capacity.',
    $metadata: {},
  });
}

/** The answer was lost on its way; whether anything was written, nobody knows. */
export class AnswerLost extends Error {
  override readonly name = 'TimeoutError';
}

export function cancelled(reasons: readonly CancellationReason[]): TransactionCanceledException {
  const codes = reasons.map(({ Code }) => Code).join();
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: [...reasons],
    $metadata: {},
  });
}
