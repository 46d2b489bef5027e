import { spawn } from 'node:child_process';
import { endGroup } from './process-group.ts';

/** A command that failed, with what it printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly printed: string;

  constructor(message: string, printed: string, options?: ErrorOptions) {
    super(`${message}${printed}`, options);
    this.printed = printed;
  }
}

/**
 * Runs a command to its end and returns what it printed. An abort ends it and whatever it has started; they are gone
 * when the promise rejects, so that nothing writes to a folder that is about to be removed.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<string> {
  const { signal, ...where } = options;
  signal?.throwIfAborted();
  const child = spawn(command, args, { ...where, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => void endGroup(child);
  signal?.addEventListener('abort', end);
  try {
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
    const code = await new Promise((resolve, reject) => {
      child.on('error', (cause) => reject(new CommandFailed(`${command}: `, cause.message, { cause })));
      child.on('close', resolve);
    });
    signal?.throwIfAborted();
    const text = Buffer.concat(printed).toString('utf8');
    if (code === 0) return text;
    throw new CommandFailed(`${command} ${args.join(' ')} ended with ${code}:\n`, text.trim());
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
