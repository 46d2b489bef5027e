import { type DynamoDBServiceException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';
import type { Engine, Output } from './engine.ts';
import { AnswerLost, cancelled, throttled } from './exceptions.ts';
import { type Request, writesOf } from './request.ts';

/** What goes wrong without anybody's fault, each with its probability per request. */
export interface Faults {
  /** Another transaction holds one of the items. */
  readonly conflict: number;
  readonly throttling: number;
  /** The answer is lost, and the SDK sends the request again. */
  readonly repeat: number;
  /** No answer comes, however often it is sent. */
  readonly loss: number;
}

/** What happens on the way to the tables and back. */
export function overTheNetwork(
  engine: Engine,
  { turn }: Pick<Schedule, 'turn'>,
  random: Random,
  faults: Faults,
): (request: Request) => Promise<Output> {
  const once = async (request: Request): Promise<() => Output> => {
    await turn('REQUEST');
    const writes = writesOf(request);
    if (random.chance(faults.throttling)) return thrower(throttled());
    if (writes.length > 0 && random.chance(faults.conflict)) return thrower(conflict(request, writes.length));
    return effectOf(() => engine.answer(request));
  };

  return async (request) => {
    let answer = await once(request);
    // A transaction carries a token of the SDK: sent again, it is answered as before.
    const isRepeated = request.does !== 'TRANSACTION' && random.chance(faults.repeat);
    if (isRepeated) answer = await once(request);
    await turn('ANSWER');
    if (random.chance(faults.loss)) throw new AnswerLost('No answer in time.');
    return answer();
  };
}

function effectOf(work: () => Output): () => Output {
  try {
    const output = work();
    return () => output;
  } catch (error) {
    return thrower(error);
  }
}

function thrower(error: unknown) {
  return (): never => {
    throw error;
  };
}

function conflict(request: Request, legs: number): DynamoDBServiceException {
  const codes = Array.from({ length: legs }, (_, leg) => ({ Code: leg === 0 ? 'TransactionConflict' : 'None' }));
  return request.does === 'TRANSACTION'
    ? cancelled(codes)
    : new TransactionConflictException({ message: 'Transaction is ongoing for the item', $metadata: {} });
}
