import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';

/** Dependencies of every part of AWS in memory. */
export interface Host {
  readonly schedule: Schedule;
  readonly random: Random;
  /** Adds a line to the history; the text is only made if somebody reads it. */
  readonly trace: (text: () => string) => void;
}

/** Answers the commands of an SDK client; rejects with that client's exceptions, and sometimes never settles. */
export type Answer = (command: object, options?: { readonly abortSignal?: AbortSignal }) => Promise<object>;

/** The outcome of a call of a function. */
export type Invocation =
  | { readonly state: 'DONE'; readonly value: unknown }
  /** The function threw. */
  | { readonly state: 'THREW'; readonly error: unknown }
  /** The function timed out, or its process died. */
  | { readonly state: 'DIED' }
  /** Lambda did not run it. */
  | { readonly state: 'THROTTLED' };

/** Runs the function of a folder below `functions` once, as it is wired. */
export type Invoke = (folder: string, event: unknown) => Promise<Invocation>;

/** @param at milliseconds since 1970 */
export type OnInvocation = (folder: string, ended: Invocation, at: number, event: unknown) => void;

/** Returns `invoke` with a callback after each call. */
export function withInvocationCallback({ schedule }: Host, tell: OnInvocation | undefined, invoke: Invoke): Invoke {
  if (tell === undefined) return invoke;
  return async (folder, event) => {
    const ended = await invoke(folder, event);
    tell(folder, ended, schedule.clock.now().getTime(), event);
    return ended;
  };
}
