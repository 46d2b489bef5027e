import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localDirectory } from './local-directory.ts';
import { runCommand } from './run-command.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

const ALTERNATIVES = `
Instead of letting this run install a local AWS, you can
  - install Python 3.10 or newer, with its venv module, and start again;
  - start an emulator of AWS yourself and name it: AWS_ENDPOINT_URL=http://127.0.0.1:4566 npm start;
  - deploy to an AWS account: npm run deploy -- -c stage=staging.`;

/** Something the person who started it has to do first. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/**
 * The Python that has the pinned local AWS, installed on first use into a folder named after what is pinned. Every
 * package has to have the digest on record.
 *
 * @throws {CannotStart} saying what is missing and what else can be done.
 */
export async function installEmulator(signal: AbortSignal): Promise<string> {
  const pinned = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const installed = join(localDirectory, `emulator-${pinned}`);
  const python = join(installed, 'bin', 'python');
  if (existsSync(python)) return python;

  const base = await findPython(signal);
  const unfinished = `${installed}.${process.pid}`;
  await mkdir(dirname(unfinished), { recursive: true });
  try {
    await runCommand(base, ['-m', 'venv', unfinished], { signal });
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--require-hashes',
      '-r',
      requirements,
    ];
    await runCommand(join(unfinished, 'bin', 'python'), pip, { signal });
    // Another run may have finished first; its installation is as good.
    await rename(unfinished, installed).catch((error: unknown) => {
      if (!existsSync(python)) throw error;
    });
    return python;
  } catch (cause) {
    signal.throwIfAborted();
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`The local AWS could not be installed with ${base}:\n${said}\n${ALTERNATIVES}`, { cause });
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
  throw new CannotStart(`No Python 3.10 or newer was found.\n${ALTERNATIVES}`);
}
