import { onTestFinished, vi } from 'vitest';
import { log } from '#shared/runtime/logger.ts';

interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Lines logged from now to the end of the test, which therefore do not reach the console. */
export function logged(): readonly Line[] {
  const lines: Line[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(log, level).mockImplementation((code, fields = {}) => {
      lines.push({ level, code, fields });
    });
    onTestFinished(() => spy.mockRestore());
  }
  return lines;
}
