import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localDirectory } from './local-directory.ts';
import { runCommand } from './run-command.ts';

/**
 * A Python that has the packages of a requirements file, installed on first use into a folder named after what is
 * pinned. Every package has to have the digest on record.
 *
 * @throws {Error} when there is no Python, or it cannot install them
 */
export async function installPython(name: string, requirements: string, signal: AbortSignal): Promise<string> {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const installed = join(localDirectory, `${name}-${pinned}`);
  const python = join(installed, 'bin', 'python');
  if (existsSync(python)) return python;

  const base = await findPython(signal);
  const unfinished = `${installed}.${process.pid}`;
  await mkdir(dirname(unfinished), { recursive: true });
  try {
    await runCommand(base, ['-m', 'venv', unfinished], { signal });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
    await runCommand(join(unfinished, 'bin', 'python'), [...pip, '-r', requirements], { signal });
    // Another run may have finished first; its installation is as good.
    await rename(unfinished, installed).catch((error: unknown) => {
      if (!existsSync(python)) throw error;
    });
    return python;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function findPython(signal: AbortSignal): Promise<string> {
  for (const candidate of ['python3', 'python', 'python3.13', 'python3.12', 'python3.11', 'python3.10']) {
    try {
      await runCommand(candidate, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'], { signal });
      return candidate;
    } catch {
      signal.throwIfAborted();
    }
  }
  throw new Error('No Python 3.10 or newer was found.');
}
