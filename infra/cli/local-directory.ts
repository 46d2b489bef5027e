import { fileURLToPath } from 'node:url';

export const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));

/** Everything that a local run keeps: the installed emulator, the outputs, and one folder per run while it runs. */
export const localDirectory = fileURLToPath(new URL('../../.local', import.meta.url));
