import type { Progress } from '#infra/local/progress.ts';
import { runProcess } from '#infra/local/run-process.ts';

/** What a machine may lack, and how it answers when it is there. */
const tools = {
  python3: ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'],
  java: ['-version'],
  javac: ['-version'],
  mvn: ['--version'],
  go: ['version'],
} as const;

export type Tool = keyof typeof tools;

/** Something to try, step by step; a step that fails is the last. */
export interface Trial {
  readonly name: string;
  readonly needs: readonly Tool[];
  /** Each with what is true once it is done. */
  readonly steps: readonly (readonly [done: string, work: () => Promise<unknown>])[];
}

export interface Outcome {
  /** The name, and how far it came. */
  readonly line: string;
  /** What was printed when it failed. */
  readonly failure?: string;
}

export async function run({ name, needs, steps }: Trial, progress: Progress, signal: AbortSignal): Promise<Outcome> {
  const missing = await missingOf(needs, signal);
  if (missing.length > 0) return { line: `${name}: skipped, for this machine has no ${missing.join(' and no ')}` };
  const done: string[] = [];
  for (const [what, work] of steps) {
    try {
      await progress.step(`${name}: ${what}`, work);
      done.push(what);
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof Error ? error.message : String(error);
      return { line: `${name}: ${[...done, `not ${what}`].join(', ')}`, failure };
    }
  }
  return { line: `${name}: ${done.join(', ')}` };
}

async function missingOf(needs: readonly Tool[], signal: AbortSignal): Promise<readonly Tool[]> {
  const missing: Tool[] = [];
  for (const tool of needs) {
    try {
      await runProcess(tool, tools[tool], { signal });
    } catch {
      signal.throwIfAborted();
      missing.push(tool);
    }
  }
  return missing;
}
