import { fileURLToPath } from 'node:url';
import { installPython } from './install-python.ts';

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

/** The Python that has the pinned local AWS. @throws {CannotStart} saying what is missing and what else can be done. */
export async function installEmulator(signal: AbortSignal): Promise<string> {
  try {
    return await installPython('emulator', requirements, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new CannotStart(`The local AWS could not be installed:\n${said}\n${ALTERNATIVES}`, { cause });
  }
}
