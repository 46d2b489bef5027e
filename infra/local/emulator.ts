import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CannotStart } from './cannot-start.ts';
import { endGroup } from './process-group.ts';

export interface Emulator {
  stop(): Promise<void>;
}

/** Credentials of the emulator's own account; they open nothing anywhere else. */
export const emulatorCredentials = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};

/** What a process needs to call the local AWS, and nothing else: no settings, profiles or files of another account. */
export function environmentOf(endpoint: string): NodeJS.ProcessEnv {
  const nothing = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
  return { ...inheritedEnvironment(), ...nothing, ...emulatorCredentials, AWS_ENDPOINT_URL: endpoint };
}

const READY_WITHIN = 30_000;

interface EmulatorOptions {
  readonly python: string;
  /** Loopback port. */
  readonly port: number;
  /** Folder of the run, for everything that it writes. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Starts the local AWS. It is the leader of a process group, so that its Lambda processes end with it. */
export async function startEmulator({ python, port, directory, signal }: EmulatorOptions): Promise<Emulator> {
  const temporary = join(directory, 'tmp');
  await mkdir(temporary, { recursive: true });
  // The emulator runs Lambdas by a CommonJS script, which the project's own package.json would make an ES module.
  await writeFile(join(temporary, 'package.json'), '{"type":"commonjs"}');
  const child = spawn(python, ['-m', 'ministack'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inheritedEnvironment(), ...emulatorCredentials, ...settings(port, directory, temporary) },
  });
  const log = join(directory, 'emulator.log');
  const written = createWriteStream(log);
  child.stdout.pipe(written);
  child.stderr.pipe(written);
  const stop = () => endGroup(child);
  try {
    await untilReady(`http://127.0.0.1:${port}`, child, signal);
    return { stop };
  } catch (error) {
    await stop();
    signal.throwIfAborted();
    throw new CannotStart(`The local AWS did not start. The end of what it wrote:\n${await endOf(log)}`, {
      cause: error,
    });
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

async function untilReady(endpoint: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  child.once('error', () => undefined);
  const givesUpAt = Date.now() + READY_WITHIN;
  while (!(await answers(`${endpoint}/_ministack/health`))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('It has ended.');
    if (Date.now() > givesUpAt) throw new Error(`It does not answer after ${READY_WITHIN / 1000} s.`);
    await sleep(100, undefined, { signal });
  }
}

async function endOf(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim().split('\n').slice(-20).join('\n');
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
