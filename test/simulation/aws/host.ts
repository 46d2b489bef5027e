import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';

/** What every part of AWS in memory is made with. */
export interface Host {
  readonly schedule: Schedule;
  readonly random: Random;
  /** One line of the history, made only when somebody reads it. */
  readonly trace: (text: () => string) => void;
}

/** Answers the commands that a client of the SDK sends; rejects with that client's exceptions, and now and then never settles. */
export type Answer = (command: object, options?: { readonly abortSignal?: AbortSignal }) => Promise<object>;

/** What became of a call of a function. */
export type Invocation =
  | { readonly state: 'DONE'; readonly value: unknown }
  /** The function threw. */
  | { readonly state: 'THREW'; readonly error: unknown }
  /** Its time was over, or its process was gone. */
  | { readonly state: 'DIED' }
  /** Lambda did not run it. */
  | { readonly state: 'THROTTLED' };

/** Runs the function of a folder below `functions` once, as it is wired. */
export type Invoke = (folder: string, event: unknown) => Promise<Invocation>;

/** @param at milliseconds since 1970 */
export type OnInvocation = (folder: string, ended: Invocation, at: number, event: unknown) => void;

/** The same, of which somebody is told how it ended. */
export function toldOf({ schedule }: Host, tell: OnInvocation | undefined, invoke: Invoke): Invoke {
  if (tell === undefined) return invoke;
  return async (folder, event) => {
    const ended = await invoke(folder, event);
    tell(folder, ended, schedule.clock.now().getTime(), event);
    return ended;
  };
}
