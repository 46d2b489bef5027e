import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';
import type { Engine, Output } from './engine.ts';
import { AnswerLost, failedInside, stillInProgress } from './exceptions.ts';
import type { Faults } from './faults.ts';
import { createRefusals } from './refusals.ts';
import type { Request } from './request.ts';
import { withoutSome } from './without-some.ts';

type Effect = () => Output;

/** Simulates the network between a function and the tables. */
export function overTheNetwork(
  engine: Engine,
  { turn, start, clock }: Pick<Schedule, 'turn' | 'start' | 'clock'>,
  random: Random,
  faults: Faults,
): (request: Request, signal?: AbortSignal) => Promise<Output> {
  const refusal = createRefusals(engine, random, faults, () => clock.now().getTime());

  async function once(request: Request, isTorn: boolean, signal?: AbortSignal): Promise<Effect> {
    await turn('REQUEST');
    if (signal?.aborted) return thrower(new AnswerLost('Its caller has given it up.'));
    const refused = refusal(request);
    if (refused !== undefined) return thrower(refused);
    if (request.does === 'BATCH_GET' && random.chance(faults.unprocessed)) {
      return effectOf(() => withoutSome(request.input, random, (input) => engine.answer({ ...request, input })));
    }
    return effectOf(() => engine.answer(request, isTorn));
  }

  /** Makes all legs visible, in any order, even if the caller has died. */
  function allSeen(unseen: readonly (() => void)[]): Promise<void> {
    const left = [...unseen];
    return new Promise((resolve) =>
      start('a transaction', async () => {
        while (left.length > 0) {
          await turn('REQUEST');
          for (const see of left.splice(random.below(left.length), 1)) see();
        }
        resolve();
      }),
    );
  }

  async function transaction(request: Request): Promise<Effect> {
    const isTorn = random.chance(faults.torn);
    const effect = await once(request, isTorn);
    if (!isTorn) return effect;
    const output = settled(effect);
    if (output?.unseen === undefined) return effect;
    await allSeen(output.unseen);
    // A transaction has a token: a repeated one gets the same answer, or "in progress" if it comes too early.
    const isAskedTooEarly = random.chance(faults.repeat);
    return isAskedTooEarly ? thrower(stillInProgress()) : effect;
  }

  async function sent(request: Request, signal?: AbortSignal): Promise<Effect> {
    if (request.does === 'TRANSACTION') return transaction(request);
    const effect = await once(request, false, signal);
    return random.chance(faults.repeat) ? once(request, false, signal) : effect;
  }

  return async (request, signal) => {
    const answer = await sent(request, signal);
    await turn('ANSWER');
    if (signal?.aborted) throw new AnswerLost('Its caller has given it up.');
    if (random.chance(faults.loss)) throw random.chance(0.5) ? new AnswerLost('No answer in time.') : failedInside();
    return answer();
  };
}

function settled(effect: Effect): Output | undefined {
  try {
    return effect();
  } catch {
    return undefined;
  }
}

function effectOf(work: Effect): Effect {
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
