import { spawn } from 'node:child_process';

/** A command that did not end well, with what it printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Runs a command to its end and returns what it printed; an abort ends it. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
    child.on('error', (cause) => reject(new CommandFailed(`${command}: ${cause.message}`, { cause })));
    child.on('close', (code) => {
      const text = Buffer.concat(printed).toString('utf8');
      if (code === 0) resolve(text);
      else reject(new CommandFailed(`${command} ${args.join(' ')} ended with ${code}:\n${text.trim()}`));
    });
  });
}
