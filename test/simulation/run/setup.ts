import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { seedOfTheDay } from './seed-of-the-day.ts';

const OFF_RAMPS = 5000;

declare module 'vitest' {
  interface ProvidedContext {
    readonly rounds: {
      readonly seed: number;
      readonly offRamps: number;
      /** The file that gets what the rounds print. */
      readonly printed: string;
      /** The file that gets their exit status when they end; until then it is empty. */
      readonly status: string;
    };
  }
}

/**
 * Begins to play the rounds when the tests begin. They run at a low priority, on the processor time that all other tests
 * leave; their own test, which is the last one, waits for their end.
 */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-rounds-'));
  const [seed, printed, status] = [seedOfTheDay(), join(folder, 'printed'), join(folder, 'status')];
  writeFileSync(status, '');
  const output = openSync(printed, 'w');
  const command = ['test/simulation/run/simulate.ts', '--seed', String(seed), '--off-ramps', String(OFF_RAMPS)];
  const playing = spawn(process.execPath, command, { stdio: ['ignore', output, output] });
  playing.on('exit', (code, signal) => writeFileSync(status, String(code ?? signal)));
  project.provide('rounds', { seed, offRamps: OFF_RAMPS, printed, status });
  return () => {
    playing.removeAllListeners('exit').kill();
    rmSync(folder, { recursive: true, force: true });
  };
}
