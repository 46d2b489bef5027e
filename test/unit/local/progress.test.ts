import { describe, expect, test, vi } from 'vitest';
import { plainProgress, progressOn } from '#infra/local/progress.ts';

const CLEAR = '\x1b[J';

/** Keeps the lines that a terminal shows. It understands two codes only: cursor up, and clear to the end. */
function terminal(columns: number) {
  const lines: string[] = [];
  return {
    lines,
    columns,
    isTTY: true,
    write: (text: string) => {
      const [before = '', rest = text] = text.includes(CLEAR) ? text.split(CLEAR) : [];
      lines.splice(lines.length - Number(/(\d+)A$/.exec(before)?.[1] ?? 0));
      lines.push(...rest.split('\n').slice(0, -1).map(withoutTime));
    },
  };
}

const withoutTime = (line: string) => line.replace(/ +\d+\.\d s/, ' N s');

describe('progress', () => {
  test('tells that a step begins and that it has ended, and how long it took', async () => {
    const written: string[] = [];
    const progress = plainProgress({ write: (text) => written.push(withoutTime(text)) });
    const result = await progress.step('Deploying', async () => written.length);
    expect(result).toBe(1);
    expect(written).toEqual(['  …          Deploying\n', '  ✓ N s  Deploying\n']);
  });

  test('tells which step has failed', async () => {
    const written: string[] = [];
    const progress = plainProgress({ write: (text) => written.push(withoutTime(text)) });
    await expect(progress.step('Deploying', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(written.at(-1)).toBe('  ✗ N s  Deploying\n');
  });

  test('rewrites the lines of running steps on a terminal, none of which is broken by it', async () => {
    const screen = terminal(42);
    const progress = progressOn(screen);
    const seen: (readonly string[])[] = [];
    await progress.step('Synthesising', async () => {
      await progress.step('Deploying', async (tell) => {
        tell('123 of 421 resources, and what makes it too long');
        progress.say('A line in between');
        seen.push([...screen.lines]);
      });
      seen.push([...screen.lines]);
    });
    expect(seen).toEqual([
      ['A line in between', '  … N s  Synthesising', '  … N s  Deploying: 123 of 421 resou…'],
      ['A line in between', '  ✓ N s  Deploying', '  … N s  Synthesising'],
    ]);
    expect(screen.lines).toEqual(['A line in between', '  ✓ N s  Deploying', '  ✓ N s  Synthesising']);
  });

  test('writes no escape sequences if the output is no terminal', async () => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    vi.stubEnv('TERM', 'dumb');
    try {
      await progressOn({ isTTY: true, write }).step('Deploying', async () => undefined);
    } finally {
      vi.unstubAllEnvs();
    }
    await progressOn({ write }).step('Deploying', async () => undefined);
    expect(written).toHaveLength(4);
    expect(written.join('')).not.toContain('\x1b');
  });
});
