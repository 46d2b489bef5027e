import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Network } from '#shared/networks/network.ts';
import { type LocalAws, localAwsAt } from './local-aws.ts';
import { localDirectory } from './local-directory.ts';
import { OpsError } from './ops-error.ts';

/** What a developer needs to call the service, written to `.local/outputs.json`. */
export interface DemoData {
  readonly clients: readonly DemoClient[];
  readonly tokens: readonly DemoToken[];
}

export interface DemoClient {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly approved: boolean;
  readonly users: readonly DemoUser[];
}

interface DemoUser {
  readonly userId: string;
  readonly externalWallets: readonly { readonly id: string; readonly network: Network; readonly address: string }[];
}

export interface DemoToken {
  readonly id: number;
  readonly token: string;
  readonly networks: readonly Network[];
}

/** What any tool needs to send the token on a chain of this machine. */
export const localChain = z.object({
  rpcUrl: z.string(),
  chainId: z.int(),
  /** The address of the token's contract. */
  token: z.string(),
  decimals: z.int(),
  /** Holds all of the token; the chain signs for it. */
  fundedAccount: z.string(),
  /** Known to everybody, like the phrase that it comes from. */
  fundedPrivateKey: z.string(),
});

export type LocalChain = z.infer<typeof localChain>;

export type LocalChains = Readonly<Partial<Record<Network, LocalChain>>>;

/** The content of `.local/outputs.json`. */
export interface LocalOutputs extends DemoData {
  readonly baseUrl: string;
  readonly awsEndpoint: string;
  /** The credentials that the local AWS accepts. */
  readonly awsAccessKeyId: string;
  readonly awsSecretAccessKey: string;
  /** URL of the operators' API. */
  readonly operatorsApi: string;
  readonly stateMachineArn: string;
  /** With `--chain`: what any tool needs to send to a deposit address, by the network. */
  readonly chain?: LocalChains;
  /** With `--custodian` and `--rail`: where the provider has to send its notifications. */
  readonly providerNotifications?: { readonly custodian?: string; readonly rail?: string };
  /** URLs of the doubles that stand in for providers; each is controlled below its `/_double/`. */
  readonly doubles?: { readonly custodian?: string; readonly rail?: string };
  /** The webhook of the first client, at the receiver of `npm start`. */
  readonly webhook?: { readonly id: string; readonly url: string; readonly secret: string };
}

/** Writes the outputs to the folder of the run, and to the file of the latest run. */
export async function writeOutputs(outputs: LocalOutputs): Promise<void> {
  for (const file of [outputsOf(new URL(outputs.baseUrl).port), outputsOf(undefined)]) {
    // An existing file would keep its mode.
    await rm(file, { force: true });
    await writeFile(file, JSON.stringify(outputs, null, 2), { mode: 0o600 });
  }
}

const found = z.object({
  baseUrl: z.string(),
  awsEndpoint: z.string(),
  awsAccessKeyId: z.string(),
  awsSecretAccessKey: z.string(),
  operatorsApi: z.string(),
  chain: z.optional(z.record(z.string(), z.unknown())),
  providerNotifications: z.optional(z.object({ custodian: z.optional(z.string()) })),
});

/** What to do when no service runs. */
export const START_HINT = 'Start it with npm start; npm run ops takes --stage for one on AWS.';

/** What to do when the service no longer answers. */
export const ENDED_HINT = `The last npm start has ended. ${START_HINT}`;

/**
 * @param port of the run; the one started last when not given
 * @throws {OpsError} when there is no such run
 */
export async function readOutputs(port: string | undefined): Promise<z.infer<typeof found>> {
  try {
    return found.parse(JSON.parse(await readFile(outputsOf(port), 'utf8')));
  } catch {
    throw new OpsError('failed', `There is no service${port ? ` on port ${port}` : ''} on this machine. ${START_HINT}`);
  }
}

/** The local AWS of a run. */
export function awsOf(outputs: Pick<LocalOutputs, 'awsEndpoint' | 'awsAccessKeyId' | 'awsSecretAccessKey'>): LocalAws {
  const { awsEndpoint, awsAccessKeyId: accessKeyId, awsSecretAccessKey: secretAccessKey } = outputs;
  return localAwsAt(awsEndpoint, { accessKeyId, secretAccessKey });
}

function outputsOf(port: string | undefined): string {
  return join(port === undefined ? localDirectory : runDirectory(port), 'outputs.json');
}

/** The folder for everything that a run writes; deleted when it ends. */
export function runDirectory(port: string | number): string {
  return join(localDirectory, `run-${port}`);
}
