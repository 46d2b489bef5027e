import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { Host } from '#test/simulation/aws/host.ts';
import { describeRefusal, describeRequest } from './describe.ts';
import type { Engine } from './engine.ts';
import { Unsupported } from './unsupported.ts';

/**
 * Says what was asked, and ends the round at what no fault of AWS explains.
 *
 * @param onDone is called after each request that was done; what it throws ends the round, and does not reach the function
 */
export function watched(tables: Engine, { schedule, trace }: Host, onDone: () => void): Engine['answer'] {
  return (request) => {
    try {
      const output = tables.answer(request);
      trace(() => describeRequest(request));
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
  const isInvalid = error instanceof DynamoDBServiceException && error.name === 'ValidationException';
  return isInvalid || error instanceof Unsupported || !(error instanceof DynamoDBServiceException);
}
