import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { emulatorCredentials } from './emulator.ts';
import { projectDirectory } from './local-directory.ts';
import { runCommand } from './run-command.ts';

const cdk = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
const stackName = 'payin-offramp-local';
const outputs = z.object({ [stackName]: z.record(z.string(), z.string()) });

/** What the deployed stack says of itself, by output name. */
export type StackOutputs = Readonly<Record<string, string>>;

interface Deployment {
  readonly endpoint: string;
  /** Folder of the run. */
  readonly directory: string;
  readonly windowSeconds: number | undefined;
  readonly signal: AbortSignal;
}

/** Prepares the account of the local AWS, as `cdk bootstrap` does with every account. */
export async function bootstrap(deployment: Deployment): Promise<void> {
  // From a folder without cdk.json, so that the app is not synthesised for it.
  const environment = `aws://000000000000/${emulatorCredentials.AWS_REGION}`;
  await runCdk(deployment, deployment.directory, ['bootstrap', environment]);
}

export async function synthesise(deployment: Deployment): Promise<void> {
  const window = deployment.windowSeconds === undefined ? [] : ['-c', `window=${deployment.windowSeconds}`];
  const output = ['--output', assemblyOf(deployment)];
  await runCdk(deployment, projectDirectory, ['synth', '--quiet', '-c', 'stage=local', ...window, ...output]);
}

/** Deploys what was synthesised: the stack of production, with the settings of the local stage. */
export async function deploy(deployment: Deployment): Promise<StackOutputs> {
  const file = join(deployment.directory, 'stack-outputs.json');
  const assembly = ['--app', assemblyOf(deployment), '--require-approval', 'never', '--outputs-file', file];
  await runCdk(deployment, projectDirectory, ['deploy', ...assembly]);
  return outputs.parse(JSON.parse(await readFile(file, 'utf8')))[stackName] ?? {};
}

function assemblyOf({ directory }: Deployment): string {
  return join(directory, 'cdk.out');
}

async function runCdk({ endpoint, signal }: Deployment, cwd: string, args: readonly string[]): Promise<void> {
  await runCommand(process.execPath, [cdk, ...args, '--no-notices'], {
    cwd,
    env: { ...process.env, ...emulatorCredentials, AWS_ENDPOINT_URL: endpoint, CI: 'true' },
    signal,
  });
}
