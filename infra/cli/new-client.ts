import { randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { newClientExample } from '#infra/clients/new-client-example.ts';
import type { Call } from '#sdk/connect.ts';
import { formatAddress, isEvm, type Network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { findService } from './find-service.ts';
import { exitStatus } from './ops-error.ts';
import { runOps } from './run-ops.ts';
import { makeSecretFile } from './secret-file.ts';

export interface Output {
  readonly say: (line: string) => void;
  readonly clock: Clock;
}

const made = z.object({ clientId: z.string(), clientSecret: z.string() });

export type Credentials = z.infer<typeof made>;

export type Operator = (command: readonly string[], input?: object) => Promise<unknown>;

/** Runs commands of `npm run ops` and returns their answers. Nothing is printed, because one answer has a secret. */
export function operatorAt(options: readonly string[], reason: string, { say, clock }: Output): Operator {
  return async ([name = '', ...values], input) => {
    const [answer, messages]: [string[], string[]] = [[], []];
    const status = await runOps([name, ...values, '--reason', reason, '--json', ...options], {
      print: (text) => void answer.push(text),
      say: (text) => void messages.push(text),
      person: undefined,
      read: async () => JSON.stringify(input),
      clock,
      makeSecretFile,
      findService,
      untilStopped: () => new Promise(() => undefined),
    });
    if (status !== exitStatus.done) throw new Error(`npm run ops -- ${name}: ${messages.join('').trim()}`);
    say(`  ✓ ${name}`);
    return JSON.parse(answer.join(''));
  };
}

/** Registers the client under a random number, because no two clients may have the same one. */
export async function createClient(ops: Operator, name: string): Promise<Credentials> {
  const identificationNro = `7${String(randomInt(1e8)).padStart(8, '0')}`;
  const profile = {
    ...newClientExample,
    tradeName: name,
    person: { ...newClientExample.person, businessName: name, identificationNro },
  };
  return made.parse(await ops(['create-client', '-'], profile));
}

interface SandboxUser {
  readonly call: Call;
  readonly clientId: string;
  /** True if no real money moves on the network. */
  readonly isSimulated: (network: Network) => boolean;
}

/**
 * A user with a wallet on an EVM network whose deposits are simulated: the sample's hashes are of such a network, and
 * its deposits have no tags. @returns undefined where there is no such network
 */
export async function addSandboxUser(ops: Operator, { call, clientId, isSimulated }: SandboxUser) {
  const { body = [] } = await call('GET /api/parameters/tokens');
  const served = body.flatMap(({ id, token, networks }) =>
    networks.flatMap(({ network }) =>
      isEvm(network) && isSimulated(network) ? [{ network, token: { id, token } }] : [],
    ),
  )[0];
  if (served === undefined) return undefined;
  const { network, token } = served;
  const { userId } = z.object({ userId: z.string() }).parse(await ops(['add-user', clientId]));
  const from = formatAddress(network, randomBytes(32));
  const { walletId } = z
    .object({ walletId: z.string() })
    .parse(await ops(['declare-wallet', userId, network, from, '--yes']));
  return { userId, walletId, from, token, network };
}
