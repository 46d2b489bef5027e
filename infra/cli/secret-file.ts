import { open, rm } from 'node:fs/promises';
import type { SecretFile } from './command-context.ts';

/** Creates a file that nobody but its owner can read, from its creation on. */
export async function makeSecretFile(file: string): Promise<SecretFile> {
  const made = await open(file, 'wx', 0o600);
  return {
    async write(text) {
      await made.writeFile(text);
      await made.close();
    },
    async remove() {
      await made.close();
      await rm(file);
    },
  };
}
