import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '#shared/platform/clock.ts';
import type { Random } from './random.ts';
import { createTimers, type Timer } from './timers.ts';

/** The outcome of an invocation: it returned, threw, or died in the middle of its work. */
type Outcome<T> =
  | { readonly state: 'DONE'; readonly value: T }
  | { readonly state: 'THREW'; readonly error: unknown }
  | { readonly state: 'DIED' };

export interface Schedule {
  readonly clock: Clock;
  /** The name of the process that is at work. */
  who(): string;
  /** A request or answer under way: other processes may go on first. */
  turn(kind: 'REQUEST' | 'ANSWER'): Promise<void>;
  /** Starts work that never dies, of AWS or the outside world. */
  start(name: string, work: () => Promise<void>): void;
  /** Invokes a function once. It dies at its time limit, and now and then between any two of its awaits. */
  invoke<T>(name: string, limitSeconds: number, work: () => Promise<T>): Promise<Outcome<T>>;
  /** Work in threads, which the schedule does not control: everything waits for it, and it must not wait for others. */
  outside<T>(work: Promise<T>): Promise<T>;
  /** Ends the round: `run` throws this error. */
  fail(error: unknown): void;
  /**
   * Lets all processes go on, one at a time, until nothing is left to do, or nothing before the given time, in
   * milliseconds since 1970.
   */
  run(endsAt?: number): Promise<void>;
}

interface Process {
  readonly name: string;
  isDead: boolean;
  /** Turns left until it dies. */
  turnsLeft: number;
  onCrash?: () => void;
}

interface Turn {
  readonly process: Process;
  readonly kind: 'REQUEST' | 'ANSWER';
  readonly go: () => void;
}

export interface Chances {
  /** An invocation dies at one of its first turns. */
  readonly death: number;
  /** Time passes until the next timer, although a process could go on. */
  readonly delay: number;
  /** The same for a longer time, in which a process may reach its time limit. */
  readonly stall: number;
}

const MOST_TURNS_OF_THE_DOOMED = 24;

/** The longest time that one request may take, in milliseconds. */
const MOMENT = 3000;

/** The number of ready processes that do not slow each other down. */
const FEW = 3;

/** Many times the steps of a round. */
const MOST_STEPS = 300_000;

/** One store for all rounds, because Node copies every existing store whenever one is entered. */
const processes = new AsyncLocalStorage<Process>();

/** Resolves once nothing can go on without a turn, because the service awaits only promises. */
const allPromisesAreSettled = () => new Promise<void>((resolve) => process.nextTick(resolve));

/**
 * Runs everything that waits, one process at a time, chosen at random. Time passes only when no process can go on, or
 * by chance. The same seed gives the same history.
 */
export function schedule(random: Random, chances: Chances, startsAt: number): Schedule {
  const ready: Turn[] = [];
  const timers = createTimers();
  const faults: unknown[] = [];
  const threads = new Set<Promise<void>>();
  let now = startsAt;
  let invocations = 0;

  const nobody: Process = { name: 'nobody', isDead: false, turnsLeft: Number.POSITIVE_INFINITY };
  const current = () => processes.getStore() ?? nobody;

  function at(time: number, ring: () => void): Timer {
    const timer = { at: Math.max(now, time), ring };
    timers.set(timer);
    return timer;
  }

  function turn(kind: Turn['kind']): Promise<void> {
    const process = current();
    process.turnsLeft -= 1;
    const isDying = process.turnsLeft < 0 && !process.isDead;
    process.isDead ||= isDying;
    // The caller learns of the crash at once, or at the time limit.
    if (isDying && random.chance(0.5)) process.onCrash?.();
    // A request of a dying process may still arrive; an answer to it does not.
    const isLost = process.isDead && (kind === 'ANSWER' || random.chance(0.5));
    return new Promise((resolve) => {
      if (!isLost) ready.push({ process, kind, go: resolve });
    });
  }

  function sleep(milliseconds: number): Promise<void> {
    const process = current();
    return new Promise((resolve) => {
      at(now + milliseconds, () => {
        if (!process.isDead) resolve();
      });
    });
  }

  function after(milliseconds: number, call: () => void): () => void {
    const process = current();
    const timer = at(now + milliseconds, () => {
      if (!process.isDead) call();
    });
    return () => timers.remove(timer);
  }

  function invoke<T>(name: string, limitSeconds: number, work: () => Promise<T>): Promise<Outcome<T>> {
    const isDoomed = random.chance(chances.death);
    const turnsLeft = isDoomed ? random.below(MOST_TURNS_OF_THE_DOOMED) : Number.POSITIVE_INFINITY;
    invocations += 1;
    const process: Process = { name: `${name} (${invocations})`, isDead: false, turnsLeft };
    return new Promise((resolve) => {
      const over = (outcome: Outcome<T>) => {
        // The rest of its work is frozen.
        process.isDead = true;
        timers.remove(end);
        resolve(outcome);
      };
      process.onCrash = () => over({ state: 'DIED' });
      const end = at(now + limitSeconds * 1000, process.onCrash);
      const ended = (outcome: Outcome<T>) => process.isDead || over(outcome);
      processes.run(process, () =>
        work().then(
          (value) => ended({ state: 'DONE', value }),
          (error: unknown) => ended({ state: 'THREW', error }),
        ),
      );
    });
  }

  const passing = (milliseconds: number) =>
    (milliseconds <= MOMENT ? chances.delay : chances.stall) / Math.max(1, ready.length / FEW);

  function goOn(endsAt: number): boolean {
    const next = timers.next();
    if (next !== undefined && ready.length === 0 && next.at > endsAt) return false;
    if (next !== undefined && (ready.length === 0 || random.chance(passing(next.at - now)))) {
      timers.take();
      now = next.at;
      next.ring();
      return true;
    }
    const [turn] = ready.splice(random.below(ready.length), 1);
    const isForTheDead = turn?.process.isDead === true && turn.kind === 'ANSWER';
    if (!isForTheDead) turn?.go();
    return turn !== undefined;
  }

  return {
    clock: { now: () => new Date(now), sleep, after, random: random.next },
    who: () => current().name,
    turn,
    invoke,
    outside(work) {
      const ended = work.then(
        () => {},
        () => {},
      );
      threads.add(ended);
      void ended.then(() => threads.delete(ended));
      return work;
    },
    fail: (error) => {
      faults.push(error);
    },
    start(name, work) {
      const process: Process = { name, isDead: false, turnsLeft: Number.POSITIVE_INFINITY };
      processes.run(process, () => void work().catch((error: unknown) => faults.push(error)));
    },
    async run(endsAt = Number.POSITIVE_INFINITY) {
      let steps = 0;
      // Lets other work of the Node process, such as a test's time limit, in between two rounds.
      await new Promise(setImmediate);
      do {
        await allPromisesAreSettled();
        while (threads.size > 0) {
          await Promise.all(threads);
          await allPromisesAreSettled();
        }
        steps += 1;
      } while (steps < MOST_STEPS && faults.length === 0 && goOn(endsAt));
      if (steps === MOST_STEPS) throw new Error('Nothing comes to an end.');
      if (faults.length > 0) throw faults[0];
    },
  };
}
