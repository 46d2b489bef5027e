import { liveProgress } from './live-progress.ts';
import { concluded, lineOf } from './progress-line.ts';

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

/** On a terminal the line of a step is rewritten; elsewhere, and on one that cannot do it, each news is a line. */
export function progressOn(output: Output): Progress {
  return output.isTTY === true && process.env['TERM'] !== 'dumb' ? liveProgress(output) : linesOn(output);
}

/** Milliseconds between two lines that say how far a step is. */
const PAUSE = 5000;

export function linesOn(output: Output): Progress {
  const say = (line: string) => void output.write(`${line}\n`);
  return {
    say,
    async step(what, work) {
      const startedAt = performance.now();
      let reportedAt = startedAt;
      say(lineOf('…', undefined, what));
      const report = (howFar: string) => {
        const now = performance.now();
        if (now - reportedAt < PAUSE) return;
        reportedAt = now;
        say(lineOf('…', now - startedAt, `${what}: ${howFar}`));
      };
      return await concluded(work(report), (mark) => say(lineOf(mark, performance.now() - startedAt, what)));
    },
  };
}
