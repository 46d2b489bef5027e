import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { CannotStart } from './install-emulator.ts';

export interface Emulator {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Credentials of the emulator's own account; they open nothing anywhere else. */
export const emulatorCredentials = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};

const READY_WITHIN = 30_000;
const STOP_GRACE = 4000;

/**
 * Starts the local AWS on a free loopback port, with everything it writes in the run's folder. It is the leader of a
 * process group, so that its Lambda processes end with it.
 */
export async function startEmulator(python: string, directory: string, signal: AbortSignal): Promise<Emulator> {
  const port = await freePort();
  const temporary = join(directory, 'tmp');
  await mkdir(temporary, { recursive: true });
  // The emulator runs Lambdas by a CommonJS script, which the project's own package.json would make an ES module.
  await writeFile(join(temporary, 'package.json'), '{"type":"commonjs"}');
  const child = spawn(python, ['-m', 'ministack'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inheritedEnvironment(), ...emulatorCredentials, ...settings(port, directory, temporary) },
  });
  const log = createWriteStream(join(directory, 'emulator.log'));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const stop = () => endGroup(child);
  try {
    const endpoint = `http://127.0.0.1:${port}`;
    await untilReady(endpoint, child, join(directory, 'emulator.log'), signal);
    return { endpoint, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function settings(port: number, directory: string, temporary: string): NodeJS.ProcessEnv {
  return {
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    // Signed requests are checked against the roles of the stack, so that a missing permission shows here.
    AUTH: 'true',
    // Listeners that nothing here uses.
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    STATE_DIR: join(directory, 'state'),
    S3_DATA_DIR: join(directory, 's3'),
    TMPDIR: temporary,
    LAMBDA_WARM_TTL_SECONDS: '60',
    LOG_LEVEL: 'WARNING',
  };
}

/** Settings of another account or endpoint would lead the emulator's Lambdas astray. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
}

async function untilReady(endpoint: string, child: ChildProcess, log: string, signal: AbortSignal): Promise<void> {
  const givesUpAt = Date.now() + READY_WITHIN;
  while (!(await answers(`${endpoint}/_ministack/health`))) {
    if (child.exitCode !== null || Date.now() > givesUpAt) {
      throw new CannotStart(`The local AWS did not start; ${log} says why.`);
    }
    await sleep(100, undefined, { signal });
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve();
  signalGroup(child, 'SIGTERM');
  await Promise.race([ended, sleep(STOP_GRACE, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
  await ended;
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The group is gone already.
  }
}
