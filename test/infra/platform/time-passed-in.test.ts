import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Files that may read the system's time and chance. All others get a clock and ids, which a test controls. */
const WAYS_IN = /\/(handler|clock)\.ts$/;

const sources = ['functions', 'shared'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));

const OF_THE_SYSTEM =
  /\bsystemClock\b|\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bperformance\.|\bset(Timeout|Interval|Immediate)\b|node:timers|\bAbortSignal\.timeout\b|\bMath\.random\b|\bgetRandomValues\b|import \{[^}]*\brandom\w+[^}]*\} from 'node:crypto'/;

function takingFromTheSystem(files: readonly string[]): readonly string[] {
  return files.filter((file) => OF_THE_SYSTEM.test(readFileSync(`${root}${file}`, 'utf8')));
}

test('only handlers, which pass them in, and the clock take time or chance from the system', () => {
  expect(takingFromTheSystem(sources.filter((file) => !WAYS_IN.test(file)))).toEqual([]);
});
