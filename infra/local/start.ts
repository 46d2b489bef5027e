import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { CannotStart } from './cannot-start.ts';
import { DeploymentFailed } from './deploy.ts';
import { startLocalService } from './local-service.ts';
import { progressOn } from './progress.ts';
import type { ProviderChoice } from './providers.ts';
import { CommandFailed } from './run-process.ts';
import { runSample } from './sample.ts';

const USAGE = `npm start [-- options]
  --port <port>       where the service listens (8080)
  --window <seconds>  how long a hash is verified: the off-ramp window and that of a late submission (a day, 30 minutes)
  --chain             POLYGON and BASE are real Ethereum chains of this machine, and the sample's transfers are real, too
  --custodian fireblocks, --rail wompi
                      the service's adapters of these providers, on doubles of their servers
  --custodian-url <url> --custodian-credentials <file>, --rail-url <url> --rail-credentials <file>
                      on another server; without the sample
  --empty             without demo clients, and without the sample
  --once              stop after the sample; its outcome is the exit status
  --help              print this`;

/** Seconds between two blocks; the final block is four behind the newest. */
const BLOCK_TIME = 2;

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
// The reader of the output may end first, as `head` does.
process.stdout.on('error', () => stopped.abort());

const options = readOptionsOrExit(USAGE, readOptions);
process.exitCode = await main();

async function main(): Promise<number> {
  const progress = progressOn(process.stdout);
  const started = new AsyncDisposableStack();
  const { signal } = stopped;
  /** The exit status after a stop: 1, with the reason, if the service has ended by itself. */
  const stoppedWith = (status: number): number => {
    if (!(signal.reason instanceof CannotStart)) return status;
    progress.say(explain(signal.reason));
    return 1;
  };
  try {
    progress.say('Bringing the service up on this machine:');
    const service = await startLocalService({ ...options, progress, signal });
    started.defer(() => {
      progress.say('\nStopping.');
      return service.stop();
    });
    void service.ended.then((why) => stopped.abort(why));
    const { outputs } = service;
    const end =
      options.isEmpty || options.isForeign ? undefined : await runSample(outputs, progress, { signal, started });
    if (!options.once) progress.say(serving(outputs.baseUrl, options.port));
    await end?.();
    if (options.once) return 0;
    if (!signal.aborted) await once(signal, 'abort');
    return stoppedWith(0);
  } catch (error) {
    if (signal.aborted) return stoppedWith(130);
    progress.say(explain(error));
    return 1;
  } finally {
    await started.disposeAsync();
  }
}

function serving(baseUrl: string, port: number): string {
  return `
Serving ${baseUrl} until Ctrl-C. Each call of the webhook is printed here, by its time in UTC.
  Documentation         ${baseUrl}/api/docs
  Operations            ${baseUrl}/operations
  Credentials and ids   .local/outputs.json
  Logs                  npm run logs, or of one request or operation: npm run logs -- <its id>
  Log of the local AWS  .local/run-${port}/emulator.log`;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      window: { type: 'string' },
      chain: { type: 'boolean' },
      custodian: { type: 'string' },
      'custodian-url': { type: 'string' },
      'custodian-credentials': { type: 'string' },
      rail: { type: 'string' },
      'rail-url': { type: 'string' },
      'rail-credentials': { type: 'string' },
      empty: { type: 'boolean' },
      once: { type: 'boolean' },
    },
  });
  const { window } = values;
  const custodian = provider('custodian', 'fireblocks', values);
  const rail = provider('rail', 'wompi', values);
  return {
    port: wholeNumber('--port', values.port, { most: 65_535 }),
    windowSeconds: window === undefined ? undefined : wholeNumber('--window', window, { most: 364 * 24 * 3600 }),
    chain: values.chain === true ? { blockTime: BLOCK_TIME } : undefined,
    providers: { custodian, rail },
    isForeign: custodian?.url !== undefined || rail?.url !== undefined,
    isEmpty: values.empty === true,
    once: values.once === true,
  };
}

/** @throws {Error} which names the option */
function provider(
  kind: 'custodian' | 'rail',
  name: string,
  values: Readonly<Record<string, string | boolean | undefined>>,
): ProviderChoice | undefined {
  const [named, url, credentialsFile] = [values[kind], values[`${kind}-url`], values[`${kind}-credentials`]];
  if (named !== undefined && named !== name) throw new Error(`--${kind} takes ${name}: there is no other adapter.`);
  if ((url === undefined) !== (credentialsFile === undefined))
    throw new Error(`--${kind}-url and --${kind}-credentials go together.`);
  if (named === undefined && url === undefined) return undefined;
  return { url: url?.toString(), credentialsFile: credentialsFile?.toString() };
}

function explain(error: unknown): string {
  const isSaid = [CannotStart, CommandFailed, DeploymentFailed].some((kind) => error instanceof kind);
  if (isSaid && error instanceof Error) return `\n${error.message}`;
  return error instanceof Error ? `\nIt failed: ${error.stack}` : String(error);
}
