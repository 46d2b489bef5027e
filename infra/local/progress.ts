/** Says what happens, step by step, and how long each step took. */
export interface Progress {
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  say(line: string): void;
}

export function progressOn(output: NodeJS.WritableStream): Progress {
  const say = (line: string) => void output.write(`${line}\n`);
  return {
    say,
    async step(what, work) {
      const startedAt = performance.now();
      const result = await work();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
      say(`  ${seconds} s  ${what}`);
      return result;
    },
  };
}
