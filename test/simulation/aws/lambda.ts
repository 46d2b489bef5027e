import type { Clock } from '#shared/platform/clock.ts';
import { withEnvironment } from '#test/simulation/service/environment.ts';
import type { Wire, Wiring } from '#test/simulation/service/handlers.ts';
import type { FunctionShape } from '#test/simulation/topology/topology.ts';
import type { Host, Invocation, Invoke } from './host.ts';
import { allowedBy } from './roles.ts';

export interface LambdaFaults {
  /** A call is not run, because others use all of the account's concurrency. Probability. */
  readonly throttling: number;
  /** A process is new, and remembers nothing of earlier calls. Probability. */
  readonly coldStart: number;
  /** The greatest difference between the clocks of two functions, in milliseconds. */
  readonly skew: number;
}

/** Functions that use threads. Everything else waits for them, so that the history stays the same. */
const WITH_THREADS = ['clients/authorize-request'];

type Handler = ReturnType<Wire>;

export interface Lambda {
  readonly invoke: Invoke;
  /** Restarts every function in a new process. */
  readonly deploy: () => void;
}

/** The wired functions, each with its settings, its time limit, and its own clock. */
export function createLambda(
  host: Host,
  functions: readonly FunctionShape[],
  handlers: ReadonlyMap<string, Wire>,
  wiring: Wiring,
  faults: LambdaFaults,
): Lambda {
  const { schedule, random, trace } = host;
  let deployments = 0;
  const shapes = new Map(functions.map((shape) => [shape.folder, shape]));
  /** Idle processes of each function: a process handles one call at a time. */
  const idle = new Map<string, Handler[]>();

  function started(shape: FunctionShape): Handler {
    const { folder, environment } = shape;
    const all = idle.get(folder) ?? [];
    const [running] = all.splice(random.below(all.length), 1);
    if (running !== undefined && !random.chance(faults.coldStart)) return running;
    const wire = handlers.get(folder);
    if (wire === undefined) throw new Error(`The simulation does not run functions/${folder}.`);
    const clock = skewed(schedule.clock, Math.round((random.next() - 0.5) * faults.skew));
    return withEnvironment(environment, () =>
      wire({ ...wiring, ...allowedBy(shape, wiring, schedule.fail) }, clock, random.id),
    );
  }

  async function invoke(folder: string, event: unknown): Promise<Invocation> {
    const shape = shapes.get(folder);
    if (shape === undefined) throw new Error(`There is no function ${folder}.`);
    if (random.chance(faults.throttling)) {
      trace(() => `${folder} is throttled`);
      return { state: 'THROTTLED' };
    }
    const handler = started(shape);
    const before = deployments;
    const work = () => (WITH_THREADS.includes(folder) ? schedule.outside(handler(event, {})) : handler(event, {}));
    const outcome = await schedule.invoke(folder, shape.timeoutSeconds, work);
    if (outcome.state === 'DIED') trace(() => `${folder} has not ended in its time`);
    else if (before === deployments) idle.set(folder, [...(idle.get(folder) ?? []), handler]);
    return outcome;
  }

  return {
    invoke,
    deploy() {
      deployments += 1;
      idle.clear();
    },
  };
}

function skewed(clock: Clock, milliseconds: number): Clock {
  return milliseconds === 0 ? clock : { ...clock, now: () => new Date(clock.now().getTime() + milliseconds) };
}
