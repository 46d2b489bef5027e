import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { explainPip } from './pip-failure.ts';
import { CommandFailed, runProcess } from './run-process.ts';

/** The package index cannot be reached, or does not have what is pinned. */
export class PackagesNotInstalled extends Error {
  override readonly name = 'PackagesNotInstalled';
}

/** Keeps out the packages of another Python, and keeps pip from installing for the user (Gitpod, pip.conf). */
const itself = { PYTHONPATH: undefined, PYTHONHOME: undefined, PIP_USER: '0' };

/** The Python that has, or will have, the packages of a requirements file, in a folder named after its digest. */
export function pythonOf(name: string, requirements: string): string {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  return join(localDirectory, `${name}-${pinned}`, 'bin', 'python');
}

/** True if the Python exists and runs: the one that it was made from may be gone since, or be another version now. */
export async function isInstalled(python: string): Promise<boolean> {
  if (!existsSync(python)) return false;
  return await runProcess(python, ['-c', 'import pip'], { env: { ...process.env, ...itself } }).then(
    () => true,
    () => false,
  );
}

/**
 * Installs the packages on first use. Every package must have its recorded digest.
 *
 * @throws {PackagesNotInstalled} saying why, and what can be set
 * @throws {Error} when there is no Python, or it cannot make an environment
 */
export async function installPython(name: string, requirements: string, signal: AbortSignal): Promise<string> {
  const python = pythonOf(name, requirements);
  if (await isInstalled(python)) return python;

  const base = await findPython(signal);
  const installed = join(python, '..', '..');
  await rm(installed, { recursive: true, force: true });
  const unfinished = `${installed}.${process.pid}`;
  const temporary = join(unfinished, 'tmp');
  try {
    await mkdir(temporary, { recursive: true });
    // Leftovers of a stopped process go with the folder.
    const env = { ...process.env, ...itself, TMPDIR: temporary };
    await runProcess(base, ['-m', 'venv', unfinished], { env, signal });
    await installPackages(join(unfinished, 'bin', 'python'), requirements, { env, signal });
    await rm(temporary, { recursive: true, force: true });
    // Another run may have finished first; its installation is as good.
    await rename(unfinished, installed).catch((error: unknown) => {
      if (!existsSync(python)) throw error;
    });
    return python;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function installPackages(
  python: string,
  requirements: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<void> {
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', '--retries', '2'];
  try {
    await runProcess(python, [...pip, '--require-hashes', '-r', requirements], options);
  } catch (cause) {
    if (!(cause instanceof CommandFailed)) throw cause;
    throw new PackagesNotInstalled(explainPip(cause.printed), { cause });
  }
}

async function findPython(signal: AbortSignal): Promise<string> {
  for (const candidate of ['python3', 'python', 'python3.13', 'python3.12', 'python3.11', 'python3.10']) {
    try {
      await runProcess(candidate, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'], { signal });
      return candidate;
    } catch {
      signal.throwIfAborted();
    }
  }
  throw new Error('No Python 3.10 or newer was found.');
}
