import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoData, loadDemoData } from './demo-data.ts';
import { bootstrap, deploy, type StackOutputs, synthesise } from './deploy.ts';
import { startEmulator } from './emulator.ts';
import { startForwarder } from './forwarder.ts';
import { installEmulator } from './install-emulator.ts';
import { localDirectory } from './local-directory.ts';
import type { Progress } from './progress.ts';

export interface LocalService {
  readonly outputs: LocalOutputs;
  readonly stack: StackOutputs;
  stop(): Promise<void>;
}

/** The content of `.local/outputs.json`. */
export interface LocalOutputs extends DemoData {
  readonly baseUrl: string;
  readonly awsEndpoint: string;
  readonly stateMachineArn: string;
  /** Of the first client, at the receiver of `npm start`. */
  readonly webhook?: { readonly id: string; readonly url: string; readonly secret: string };
}

interface LocalServiceOptions {
  readonly port: number;
  /** The off-ramp window and the window of a late submission, in seconds; the stage's own when not given. */
  readonly windowSeconds: number | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Brings the whole service up on this machine; whatever it has started by then stops with it, or when it fails. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { port, windowSeconds, progress, signal } = options;
  const directory = join(localDirectory, `run-${port}`);
  await using started = new AsyncDisposableStack();
  // The port comes first: who has it is the one whose folder this is.
  const forwarder = await startForwarder(port);
  started.defer(() => forwarder.stop());
  await rm(directory, { recursive: true, force: true });
  started.defer(() => rm(directory, { recursive: true, force: true }));
  await mkdir(directory, { recursive: true });
  // What is in it is for its user alone: secrets of clients, and of a webhook.
  await chmod(localDirectory, 0o700);

  const running = process.env['AWS_ENDPOINT_URL'];
  const endpoint = running ?? (await startOwnEmulator(directory, progress, signal, started));
  const deployment = { endpoint, directory, windowSeconds, signal };
  await Promise.all([
    progress.step('the account of the local AWS is bootstrapped', () => bootstrap(deployment)),
    progress.step('the stack is synthesised and checked', () => synthesise(deployment)),
  ]);
  const stack = await progress.step('the stack is deployed', () => deploy(deployment));
  const demo = await progress.step('demo data are loaded', () => loadDemoData(endpoint, stack));
  forwarder.forwardTo({ clientsApi: stack['ClientsApiUrl'] ?? '', providersApi: stack['ProvidersApiUrl'] ?? '' });

  const outputs: LocalOutputs = {
    baseUrl: `http://localhost:${port}`,
    awsEndpoint: endpoint,
    stateMachineArn: stack['StateMachineArn'] ?? '',
    ...demo,
  };
  await writeOutputs(outputs);
  const everything = started.move();
  return { outputs, stack, stop: () => everything.disposeAsync() };
}

export async function writeOutputs(outputs: LocalOutputs): Promise<void> {
  const file = join(localDirectory, 'outputs.json');
  // One that is there would keep its mode.
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(outputs, null, 2), { mode: 0o600 });
}

async function startOwnEmulator(
  directory: string,
  progress: Progress,
  signal: AbortSignal,
  started: AsyncDisposableStack,
): Promise<string> {
  const python = await progress.step('the local AWS is installed', () => installEmulator(signal));
  const emulator = await progress.step('the local AWS is up', () => startEmulator(python, directory, signal));
  started.defer(() => emulator.stop());
  return emulator.endpoint;
}
