import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { CannotStart } from '../cannot-start.ts';

/** The packages with the program, by platform. The lockfile has the one for Linux x64, with its digest. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@foundry-rs/anvil-linux-amd64/bin/anvil',
  'linux-arm64': '@foundry-rs/anvil-linux-arm64/bin/anvil',
  'darwin-x64': '@foundry-rs/anvil-darwin-amd64/bin/anvil',
  'darwin-arm64': '@foundry-rs/anvil-darwin-arm64/bin/anvil',
};

/** The program of an Ethereum chain on this machine; `undefined` where it is not installed. */
export function anvilProgram(): string | undefined {
  const program = PACKAGES[`${process.platform}-${process.arch}`];
  try {
    return program && createRequire(import.meta.url).resolve(program);
  } catch {
    return undefined;
  }
}

export interface Anvil {
  readonly url: string;
  readonly child: ChildProcess;
}

/** A chain whose blocks come by time, or only when they are asked for. */
export interface AnvilOptions {
  readonly program: string;
  readonly chainId: number;
  /** 0 for any free port. */
  readonly port?: number;
  /** Seconds between two blocks; without it, a block is made only when it is asked for. */
  readonly blockTime?: number;
}

/** Slots of an epoch: the final block is two epochs behind the newest. */
const SLOTS = 2;

/** Runs the program in place of the shell, and ends it when the standard input ends, as it does when this process is killed. */
const ENDS_WITH_INPUT = 'exec 3<&0; { read -r _ <&3; kill $$; } >/dev/null 2>&1 & exec "$@"';

/** Starts an empty chain with ten funded accounts, whose keys are public. It never outlives this process. */
export async function startAnvil({ program, chainId, port = 0, blockTime }: AnvilOptions): Promise<Anvil> {
  const mining = blockTime === undefined ? ['--no-mining'] : ['--block-time', String(blockTime)];
  const chain = ['--chain-id', String(chainId), '--slots-in-an-epoch', String(SLOTS), '--hardfork', 'prague'];
  const options = ['--host', '127.0.0.1', '--port', String(port), '--gas-limit', '300000000', '--order', 'fees'];
  const run = ['-c', ENDS_WITH_INPUT, 'sh', program, ...options, ...chain, ...mining];
  const child = spawn('/bin/sh', run, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const output = createInterface({ input: child.stdout });
  const listening = new Promise<string>((resolve) => {
    output.on('line', (line) => {
      const url = /^Listening on (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(`http://${url}`);
    });
  });
  const ended = once(child, 'close').then(() => {
    throw new CannotStart(`The chain did not start at port ${port}: ${complaint.trim() || 'anvil has ended.'}`);
  });
  return { url: await Promise.race([listening, ended]), child };
}
