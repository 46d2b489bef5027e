import type { TestProject } from 'vitest/node';
import type { LocalOutputs } from '#infra/cli/local-outputs.ts';
import { anvilProgram } from '#infra/local/chain/anvil.ts';
import type { StackOutputs } from '#infra/local/deploy.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { plainProgress } from '#infra/local/progress.ts';

/** Short enough for a test to wait for the window's end, long enough for the steps inside it. */
const WINDOW_SECONDS = 40;

/** Networks that no other test uses are read from real chains, where anvil has a program for the platform. */
const CHAIN = { networks: ['AVALANCHE', 'ARBITRUM'], blockTime: 1 } as const;

declare module 'vitest' {
  interface ProvidedContext {
    readonly outputs: LocalOutputs;
    readonly stack: StackOutputs;
    readonly windowSeconds: number;
  }
}

/** Deploys the service to a separate local AWS. The first project of system tests that runs does it for all of them. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('outputs' in project.getProvidedContext()) return undefined;
  const service = await startLocalService({
    port: await freePort(),
    windowSeconds: WINDOW_SECONDS,
    chain: anvilProgram() === undefined ? undefined : CHAIN,
    progress: plainProgress(process.stderr),
    signal: new AbortController().signal,
  });
  const { vitest } = project;
  vitest.provide('outputs', service.outputs);
  vitest.provide('stack', service.stack);
  vitest.provide('windowSeconds', WINDOW_SECONDS);
  return () => service.stop();
}
