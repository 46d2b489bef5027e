import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Host } from '#test/simulation/aws/host.ts';
import { describeOutput, describeRefusal, describeRequest } from './describe.ts';
import type { Engine } from './engine.ts';
import type { Request } from './request.ts';

interface Watch {
  /** Is given each request, whether it is done or refused. */
  readonly onRequest: (request: Request) => void;
  /** Is called after each request that was done; what it throws ends the round, and does not reach the function. */
  readonly onDone: () => void;
}

/** Says what was asked, and ends the round at what no fault of AWS explains. */
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

/** A request that is not valid is a fault of the service; one that is not understood is one of the simulation. */
function isOurs(error: unknown): boolean {
  if (!(error instanceof DynamoDBServiceException)) return true;
  if (!(error instanceof TransactionCanceledException)) return error.name === 'ValidationException';
  return error.CancellationReasons?.some(({ Code }) => Code === 'ValidationError') === true;
}
