import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** An interactive shell without user settings, into which the commands of a document are pasted. */
export interface Shell {
  /** Pastes a block and returns the line of JSON that it prints. */
  ask(block: string): Promise<unknown>;
  /** Pastes a block that prints nothing. */
  paste(block: string): void;
  /** Ends the shell, and returns its error output. */
  end(): Promise<string>;
}

const START: Readonly<Record<string, readonly string[]>> = {
  bash: ['--noprofile', '--norc', '-i'],
  zsh: ['-f', '-i'],
};

export function shellIn(cwd: string, name: 'bash' | 'zsh'): Shell {
  const child = spawn(name, START[name] ?? [], { cwd, env: { ...process.env, PS1: '', PS2: '' } });
  const answers = jsonLines(child);
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString('utf8');
  });
  return {
    ask: async (block) => {
      child.stdin.write(block);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`${name} has ended: ${complaints}`);
      return value;
    },
    paste: (block) => void child.stdin.write(block),
    end: async () => {
      child.stdin.end();
      await once(child, 'close');
      return complaints;
    },
  };
}

async function* jsonLines({ stdout }: ChildProcess): AsyncGenerator<unknown, undefined> {
  if (stdout === null) return;
  for await (const line of createInterface({ input: stdout })) if (line.startsWith('{')) yield JSON.parse(line);
}
