import { fileURLToPath } from 'node:url';
import { CannotStart } from './cannot-start.ts';
import { installPython, isInstalled, PackagesNotInstalled, pythonOf } from './install-python.ts';
import type { Progress } from './progress.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

const INSTALL_PYTHON = `
  - install Python 3.10 or newer, with its venv module, and start again;`;

const alternatives = (first: string) => `
Instead of letting this run install a local AWS, you can${first}
  - start an emulator of AWS yourself and name it: AWS_ENDPOINT_URL=http://127.0.0.1:4566 npm start;
  - deploy to an AWS account: npm run deploy -- -c stage=staging.`;

/** The Python that has the pinned local AWS. @throws {CannotStart} saying what is missing and what else can be done. */
export async function installEmulator(progress: Progress, signal: AbortSignal): Promise<string> {
  const python = pythonOf('emulator', requirements);
  if (await isInstalled(python)) return python;
  try {
    return await progress.step('Installing the local AWS into .local (107 MB, only once)', () =>
      installPython('emulator', requirements, signal),
    );
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const first = cause instanceof PackagesNotInstalled ? '' : INSTALL_PYTHON;
    throw new CannotStart(`The local AWS could not be installed:\n${reason}\n${alternatives(first)}`, { cause });
  }
}
