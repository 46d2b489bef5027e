import { onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';

interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const written = z.looseObject({ code: z.string() });

/** Collects the lines that are logged from now to the end of the test; they do not reach the console. */
export function captureLogs(): readonly Line[] {
  const lines: Line[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((line) => {
      const { code, ...fields } = written.parse(line);
      lines.push({ level, code, fields });
    });
    onTestFinished(() => spy.mockRestore());
  }
  return lines;
}
