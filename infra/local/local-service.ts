import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { bypassProxy } from '#infra/cli/bypass-proxy.ts';
import { serviceAt } from '#infra/cli/find-service.ts';
import { type LocalAws, localAwsAt, newCredentials, widelyKnownCredentials } from '#infra/cli/local-aws.ts';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { type LocalChains, type LocalOutputs, runDirectory, writeOutputs } from '#infra/cli/local-outputs.ts';
import { createOperationsPage } from '#infra/cli/operations-page/operations-page.ts';
import type { Network } from '#shared/networks/network.ts';
import { DOCS_PATH } from '#shared/platform/http/answer.ts';
import { evmSettingsOf, publishChains, returnsOf, secretsOf, startChains } from './chain/local-chains.ts';
import { loadDemoData } from './demo-data.ts';
import { type StackOutputs, startDeployer } from './deploy.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { startForwarder } from './forwarder.ts';
import { type ReservedPort, reservePort } from './free-port.ts';
import { installEmulator } from './install-emulator.ts';
import type { Progress } from './progress.ts';
import { type ProviderChoices, startProviders } from './providers.ts';
import { runAllOrAbort } from './run-all-or-abort.ts';
import { synthesise } from './synthesise.ts';

export interface LocalService {
  readonly outputs: LocalOutputs;
  readonly stack: StackOutputs;
  /** Resolves with the reason when its local AWS ends by itself; never for a local AWS that was running before. */
  readonly ended: Promise<Error>;
  stop(): Promise<void>;
}

interface LocalServiceOptions {
  readonly port: number;
  /** The off-ramp window and the window of a late submission, in seconds; the stage's own when not given. */
  readonly windowSeconds: number | undefined;
  /** Networks that are read from a real chain of this machine, and the seconds between two of its blocks. */
  readonly chain?: { readonly networks?: readonly Network[]; readonly blockTime: number } | undefined;
  /** Providers that stand in for those of a stage; everything is simulated without them. */
  readonly providers?: ProviderChoices;
  /** Starts without demo data. */
  readonly isEmpty?: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Distance of the emulator's port from that of the service. Templates name the port, so the next start finds them. */
const EMULATOR_PORT = 20_000;

/** Starts the whole service on this machine. Everything that it has started stops with it, or when the start fails. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { port, windowSeconds, chain, providers: chosen = {}, isEmpty = false, progress, signal } = options;
  const directory = runDirectory(port);
  const baseUrl = `http://localhost:${port}`;
  bypassProxy();
  await using started = new AsyncDisposableStack();
  // The port comes first: its holder owns the folder.
  const forwarder = await startForwarder(port);
  started.defer(() => forwarder.stop());
  await rm(directory, { recursive: true, force: true });
  started.defer(() => rm(directory, { recursive: true, force: true }));
  await mkdir(directory, { recursive: true });
  // Only the user may read the folder: it contains secrets of clients and of a webhook.
  await chmod(localDirectory, 0o700);

  const running = process.env['AWS_ENDPOINT_URL'];
  const emulatorPort = await reservePort(port + EMULATOR_PORT);
  started.defer(() => emulatorPort.release());
  const aws =
    running === undefined
      ? localAwsAt(`http://127.0.0.1:${emulatorPort.port}`, newCredentials())
      : localAwsAt(running, widelyKnownCredentials);
  if (running !== undefined) progress.say(`  ! ${withoutGuard(running)}`);
  const chains = chain === undefined ? {} : await startOwnChains(chain, progress, started);
  const partners = await startProviders(chosen, port);
  started.defer(() => partners.stop());
  const providers = {
    ...partners.settings,
    ...(chain !== undefined && { evm: evmSettingsOf(chains) }),
    returns: { ...partners.settings.returns, ...returnsOf(chains) },
  };
  const deployer = startDeployer(aws, join(directory, 'cdk'));
  started.defer(() => deployer.stop());
  let assembly = '';
  let emulator: Emulator | undefined;
  await runAllOrAbort(signal, [
    async (either) => {
      if (running === undefined)
        emulator = await startOwnEmulator(emulatorPort, { aws, directory, progress, signal: either, started });
      await progress.step('Bootstrapping the account of the local AWS', (report) => deployer.bootstrap(report, either));
    },
    async (either) => {
      assembly = await progress.step('Synthesising the stacks', () =>
        synthesise({ aws, windowSeconds, docsUrl: `${baseUrl}${DOCS_PATH}`, providers, signal: either }),
      );
    },
  ]);
  await putSecrets(aws, { ...partners.secrets, ...(chain !== undefined && secretsOf(chains)) });
  const stack = await progress.step('Deploying the stacks', (report) => deployer.deploy(assembly, report, signal));
  const demo = isEmpty
    ? { clients: [], tokens: [] }
    : await progress.step('Loading demo data', () => loadDemoData(aws, stack, chains, providers));
  const operatorsApi = stack['OperatorsApiUrl'] ?? '';
  const stateMachineArn = stack['StateMachineArn'] ?? '';
  forwarder.forwardTo({
    clientsApi: stack['ClientsApiUrl'] ?? '',
    providersApi: stack['ProvidersApiUrl'] ?? '',
    operationsPage: await createOperationsPage({
      service: serviceAt(operatorsApi, 'local', aws),
      options: `--port ${port}`,
      port,
    }),
  });

  const outputs: LocalOutputs = {
    baseUrl,
    awsEndpoint: aws.endpoint,
    awsAccessKeyId: aws.credentials.accessKeyId,
    awsSecretAccessKey: aws.credentials.secretAccessKey,
    operatorsApi,
    stateMachineArn,
    ...(chain !== undefined && { chain: chains }),
    ...partners.outputs,
    ...demo,
  };
  await writeOutputs(outputs);
  const everything = started.move();
  const ended = emulator?.ended ?? new Promise<never>(() => undefined);
  return { outputs, stack, ended, stop: () => everything.disposeAsync() };
}

function withoutGuard(endpoint: string): string {
  return `The AWS at ${endpoint} has no guard: it may accept calls of a browser or of another user of this machine.`;
}

async function startOwnChains(
  chain: NonNullable<LocalServiceOptions['chain']>,
  progress: Progress,
  started: AsyncDisposableStack,
): Promise<LocalChains> {
  const { chains, stop } = await progress.step('Starting a chain for each network', () => startChains(chain));
  started.defer(stop);
  started.defer(await publishChains(chains));
  return chains;
}

async function putSecrets(aws: LocalAws, secrets: Readonly<Record<string, string>>): Promise<void> {
  const secretsManager = new SecretsManagerClient(aws);
  for (const [Name, SecretString] of Object.entries(secrets))
    await secretsManager.send(new CreateSecretCommand({ Name, SecretString }));
  secretsManager.destroy();
}

interface EmulatorRun {
  readonly aws: LocalAws;
  readonly directory: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly started: AsyncDisposableStack;
}

async function startOwnEmulator(
  { release }: ReservedPort,
  { aws, directory, progress, signal, started }: EmulatorRun,
): Promise<Emulator> {
  const python = await installEmulator(progress, signal);
  return await progress.step('Starting the local AWS', async () => {
    await release();
    const emulator = await startEmulator({ python, aws, directory, signal });
    started.defer(() => emulator.stop());
    return emulator;
  });
}
