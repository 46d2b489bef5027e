import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { Host } from '#test/simulation/aws/host.ts';
import { describeRefusal, describeRequest } from './describe.ts';
import type { Engine } from './engine.ts';
import type { Request } from './request.ts';
import { Unsupported } from './unsupported.ts';

/** Ends the round at what no fault of AWS explains, and says what was asked. */
export function watched(
  tables: Engine,
  { schedule, trace }: Host,
  onRequest: (request: Request) => void,
): Engine['answer'] {
  return (request) => {
    onRequest(request);
    try {
      const output = tables.answer(request);
      trace(() => describeRequest(request));
      return output;
    } catch (error) {
      trace(() => `${describeRequest(request)} → ${describeRefusal(error)}`);
      if (isOurs(error)) schedule.fail(error);
      throw error;
    }
  };
}

/** A request that is not valid is a fault of the service; one that is not understood is one of the simulation. */
function isOurs(error: unknown): boolean {
  const isInvalid = error instanceof DynamoDBServiceException && error.name === 'ValidationException';
  return isInvalid || error instanceof Unsupported || !(error instanceof DynamoDBServiceException);
}
