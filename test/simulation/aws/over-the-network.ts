import { AnswerLost } from './dynamodb/exceptions.ts';
import { Unsupported } from './dynamodb/unsupported.ts';
import type { Answer, Host } from './host.ts';

/** Faults between a function and a service of AWS. Probabilities per request. */
export interface NetworkFaults {
  /** The service refuses the request, even after the SDK's retries. */
  readonly refusal: number;
  /** The answer is lost, and the SDK sends the request again: it is done twice. */
  readonly repeat: number;
  /** The request is done, and no answer comes, even after retries. */
  readonly loss: number;
}

/** Simulates the network to a service that does its commands at once. */
export function overTheNetwork(
  { schedule, random }: Host,
  faults: NetworkFaults,
  refused: () => Error,
  done: (command: object) => object,
): Answer {
  async function once(command: object): Promise<() => object> {
    await schedule.turn('REQUEST');
    if (random.chance(faults.refusal)) return thrower(refused());
    try {
      const output = done(command);
      return () => output;
    } catch (error) {
      // A function may tolerate errors of AWS, but an unsupported command is an error of the simulation.
      if (error instanceof Unsupported) schedule.fail(error);
      return thrower(error);
    }
  }

  return async (command) => {
    let answer = await once(command);
    if (random.chance(faults.repeat)) answer = await once(command);
    await schedule.turn('ANSWER');
    if (random.chance(faults.loss)) throw new AnswerLost('No answer in time.');
    return answer();
  };
}

function thrower(error: unknown) {
  return (): never => {
    throw error;
  };
}
