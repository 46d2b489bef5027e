import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleFunctions, type FunctionBundle } from '#infra/bundle/bundle-functions.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the bundles and templates; removed after the last test. */
    readonly infraDirectory: string;
    /** Bundles by folder below `functions`. */
    readonly bundles: readonly (readonly [folder: string, bundle: FunctionBundle])[];
  }
}

/** Bundles every function, once for all tests of the infrastructure. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'payin-offramp-infra-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    provide('infraDirectory', directory);
    provide('bundles', [...(await bundleFunctions(join(directory, 'functions')))]);
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
