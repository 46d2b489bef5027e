import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Host } from '#test/simulation/aws/host.ts';
import { describeOutput, describeRefusal, describeRequest } from './describe.ts';
import type { Engine } from './engine.ts';
import type { Request } from './request.ts';

interface Watch {
  /** Receives each request, done or refused. */
  readonly onRequest: (request: Request) => void;
  /** Called after each request that was done; an error ends the round and does not reach the function. */
  readonly onDone: () => void;
}

/** Traces each request, and ends the round at an error that no fault of AWS explains. */
export function watched(tables: Engine, { schedule, trace }: Host, { onRequest, onDone }: Watch): Engine['answer'] {
  return (request, isTorn = false) => {
    onRequest(request);
    try {
      const output = tables.answer(request, isTorn);
      trace(() => `${isTorn ? 'leg by leg: ' : ''}${describeRequest(request)}${describeOutput(output)}`);
      endsRound(schedule, onDone);
      return output;
    } catch (error) {
      trace(() => `${describeRequest(request)} → ${describeRefusal(error)}`);
      if (isOurs(error)) schedule.fail(error);
      throw error;
    }
  };
}

function endsRound({ fail }: Host['schedule'], onDone: () => void): void {
  try {
    onDone();
  } catch (error) {
    fail(error);
  }
}

/** True if the request is invalid, which is a fault of the service, or unsupported, which is one of the simulation. */
function isOurs(error: unknown): boolean {
  if (!(error instanceof DynamoDBServiceException)) return true;
  if (!(error instanceof TransactionCanceledException)) return error.name === 'ValidationException';
  return error.CancellationReasons?.some(({ Code }) => Code === 'ValidationError') === true;
}
