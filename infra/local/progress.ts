import { progressLine, reportOutcome } from './progress-line.ts';

/** Prints the progress step by step. */
export interface Progress {
  /** Says that a step begins, how far it is whenever it reports that, and how long it took. */
  step<T>(what: string, work: (report: (howFar: string) => void) => Promise<T>): Promise<T>;
  say(line: string): void;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Rewrites a step's line on a terminal; elsewhere, and on one that cannot do it, prints a line for each update. */
export function progressOn(output: Output): Progress {
  return output.isTTY === true && process.env['TERM'] !== 'dumb' ? liveProgress(output) : plainProgress(output);
}

/** Milliseconds between two lines about the progress of a step. */
const PAUSE = 5000;

export function plainProgress(output: Output): Progress {
  const say = (line: string) => void output.write(`${line}\n`);
  return {
    say,
    async step(what, work) {
      const startedAt = performance.now();
      let reportedAt = startedAt;
      say(progressLine('…', undefined, what));
      const report = (howFar: string) => {
        const now = performance.now();
        if (now - reportedAt < PAUSE) return;
        reportedAt = now;
        say(progressLine('…', now - startedAt, `${what}: ${howFar}`));
      };
      return await reportOutcome(work(report), (mark) => say(progressLine(mark, performance.now() - startedAt, what)));
    },
  };
}

/** Milliseconds between two updates of the clock of a running step. */
const TICK = 200;

interface RunningStep {
  readonly what: string;
  readonly startedAt: number;
  howFar: string;
}

/** Keeps the lines of running steps at the end of the output and rewrites them; all other lines go before them. */
function liveProgress(output: Output): Progress {
  const running = new Set<RunningStep>();
  let shown = 0;
  let clock: NodeJS.Timeout | undefined;

  const show = (lines: readonly string[] = []) => {
    // Moves to the first line of the running steps, and clears everything from there.
    const back = shown === 0 ? '' : `\x1b[${shown}A\x1b[J`;
    const steps = [...running].map((step) => cut(stepLine('…', step), output.columns));
    shown = steps.length;
    output.write(`${back}${[...lines, ...steps].map((line) => `${line}\n`).join('')}`);
  };

  return {
    say: (line) => show([line]),
    async step(what, work) {
      const step: RunningStep = { what, startedAt: performance.now(), howFar: '' };
      running.add(step);
      show();
      clock ??= setInterval(() => show(), TICK).unref();
      const report = (howFar: string) => {
        step.howFar = `: ${howFar}`;
      };
      return await reportOutcome(work(report), (mark) => {
        running.delete(step);
        if (running.size === 0) {
          clearInterval(clock);
          clock = undefined;
        }
        show([stepLine(mark, { ...step, howFar: '' })]);
      });
    },
  };
}

function stepLine(mark: '…' | '✓' | '✗', { what, startedAt, howFar }: RunningStep): string {
  return progressLine(mark, performance.now() - startedAt, `${what}${howFar}`);
}

/** Cuts a line to the width of the terminal: of a wrapped line only the last part would be cleared. */
function cut(line: string, columns = 0): string {
  // Some terminals do not know how wide they are.
  const most = columns > 0 ? columns : 80;
  return line.length < most ? line : `${line.slice(0, most - 2)}…`;
}
