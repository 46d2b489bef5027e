import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { identityOf, type LocalAws, withoutAws } from '#infra/cli/local-aws.ts';
import { CannotStart } from './cannot-start.ts';
import { endGroup } from './process-group.ts';

export interface Emulator {
  /** Resolves when the emulator ends by itself, or when the system ends it for lack of memory. */
  readonly ended: Promise<CannotStart>;
  stop(): Promise<void>;
}

const READY_WITHIN = 30_000;

/** Variables in the shell for another emulator, such as LocalStack, or for another Python. */
const NOT_FOR_IT = /^(?:MINISTACK_|LOCALSTACK_|LAMBDA_|SFN_|PYTHON|SERVICES$|USE_SSL$|EDGE_PORT$)/;

const guarded = fileURLToPath(new URL('emulator-guard.py', import.meta.url));

interface EmulatorOptions {
  readonly python: string;
  /** A port of this machine, and the credentials that the emulator accepts. */
  readonly aws: LocalAws;
  /** The folder of the run, for every file of the emulator. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * Starts the local AWS. It is the leader of a process group, so that its Lambda processes end with it; and it ends
 * itself when its standard input does, because this process may be killed.
 */
export async function startEmulator({ python, aws, directory, signal }: EmulatorOptions): Promise<Emulator> {
  const temporary = join(directory, 'tmp');
  await mkdir(temporary, { recursive: true });
  // The emulator runs Lambdas by a CommonJS script, which the project's own package.json would make an ES module.
  await writeFile(join(temporary, 'package.json'), '{"type":"commonjs"}');
  const log = join(directory, 'emulator.log');
  // The emulator writes its log itself: in this process a failed write, as on a full disk, would end it without any
  // clean-up.
  const written = await open(log, 'w');
  const child = spawn(python, [guarded], {
    detached: true,
    stdio: ['pipe', written.fd, written.fd],
    env: { ...inherited(), ...identityOf(aws), ...settings(aws, directory, temporary) },
  });
  child.once('error', () => undefined);
  let isStopped = false;
  const ended = new Promise<CannotStart>((resolve) => {
    child.once('exit', (code, name) => {
      if (!isStopped) resolve(new CannotStart(`The local AWS has ended (${name ?? code}).${endOf(log)}`));
    });
  });
  await written.close();
  const stop = async () => {
    isStopped = true;
    await endGroup(child);
  };
  try {
    await untilReady(aws, child, signal);
    return { ended, stop };
  } catch (error) {
    await stop();
    signal.throwIfAborted();
    throw new CannotStart(`The local AWS did not start.${endOf(log)}`, { cause: error });
  }
}

function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutAws()).filter(([name]) => !NOT_FOR_IT.test(name)));
}

function settings({ endpoint }: LocalAws, directory: string, temporary: string): NodeJS.ProcessEnv {
  return {
    GATEWAY_PORT: new URL(endpoint).port,
    BIND_HOST: '127.0.0.1',
    // The host in the URLs of queues. Functions call this host, and their SQS client warns of any other at each call.
    MINISTACK_HOST: '127.0.0.1',
    // The emulator's script around each function uses url.parse, of which Node would warn in the functions' logs.
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --disable-warning=DEP0169`,
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

async function untilReady(aws: LocalAws, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const givesUpAt = Date.now() + READY_WITHIN;
  while (!(await answers(aws))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('It has ended.');
    if (Date.now() > givesUpAt) throw new Error(`It does not answer after ${READY_WITHIN / 1000} s.`);
    await sleep(100, undefined, { signal });
  }
}

function endOf(log: string): string {
  const written = existsSync(log) ? readFileSync(log, 'utf8').trim() : '';
  return written === '' ? '' : ` The end of what it wrote:\n${written.split('\n').slice(-20).join('\n')}`;
}

async function answers({ endpoint, credentials }: LocalAws): Promise<boolean> {
  const headers = { Authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/` };
  return await fetch(`${endpoint}/_ministack/health`, { headers }).then(
    ({ ok }) => ok,
    () => false,
  );
}
