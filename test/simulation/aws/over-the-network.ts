import { AnswerLost } from './dynamodb/exceptions.ts';
import { Unsupported } from './dynamodb/unsupported.ts';
import type { Answer, Host } from './host.ts';

/** What goes wrong between a function and a service of AWS. Probabilities per request. */
export interface NetworkFaults {
  /** The service does not do it, however often the SDK asks. */
  readonly refusal: number;
  /** The answer is lost, and the SDK sends the request again: it is done twice. */
  readonly repeat: number;
  /** It is done, and no answer comes, however often it is sent. */
  readonly loss: number;
}

/** What happens on the way to a service and back, with commands that it does at once. */
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
      // The function may bear errors of AWS; what AWS in memory cannot do is no error of AWS.
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
