import { readFile } from 'node:fs/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as z from 'zod/mini';
import { copyName, serviceStackName } from '#infra/stacks/stack-names.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import type { Fetch } from '#sdk/send.ts';
import { createFetch } from '#shared/canary/fetch-as-client.ts';
import type { Network } from '#shared/networks/network.ts';
import { stackOutput } from './find-service.ts';
import { readOutputs } from './local-outputs.ts';

const givenClient = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  certificatePem: z.string(),
  privateKeyPem: z.string(),
});

/** What the smoke test calls, and as whom. */
export interface SmokeTarget {
  readonly stage: 'local' | 'staging' | 'prod';
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** The options that operators' commands take for this target. */
  readonly options: readonly string[];
  /** The client that reads production; any other stage gets a new client. */
  readonly client: { readonly clientId: string; readonly clientSecret: string } | undefined;
  /** True if no real money moves on the network. */
  readonly isSimulated: (network: Network) => boolean;
}

interface Options {
  readonly stage: SmokeTarget['stage'];
  readonly profile?: string | undefined;
  readonly port?: string | undefined;
  readonly client?: string | undefined;
}

export async function findSmokeTarget({ stage, profile, port, client }: Options): Promise<SmokeTarget> {
  if (stage === 'local') {
    const { baseUrl, chain = {}, providerNotifications } = await readOutputs(port);
    const isSimulated = (network: Network) => !(network in chain) && providerNotifications?.custodian === undefined;
    const options = ['--stage', stage, ...(port === undefined ? [] : ['--port', port])];
    return { stage, baseUrl, fetch, options, client: undefined, isSimulated };
  }
  const account = new CloudFormationClient(profile === undefined ? {} : { profile });
  const output = (name: string) => stackOutput(account, serviceStackName(copyName(stage)), name);
  const options = ['--stage', stage, ...(profile === undefined ? [] : ['--profile', profile])];
  if (client !== undefined) {
    const { certificatePem: cert, privateKeyPem: key, ...credentials } = await readClient(client);
    const [baseUrl, adminUrl] = [await output('apiUrl'), await output('adminUrl')];
    const own = createFetch({ baseUrl, adminUrl, cert, key });
    return { stage, baseUrl, fetch: own, options, client: credentials, isSimulated: () => false };
  }
  const { custodians, hasSandbox } = stageNamed(stage);
  const isSimulated = (network: Network) => hasSandbox && custodians[network]?.isSimulated === true;
  return { stage, baseUrl: await output('ClientsApiUrl'), fetch, options, client: undefined, isSimulated };
}

/** @throws {Error} without any content of the file */
async function readClient(file: string): Promise<z.infer<typeof givenClient>> {
  try {
    return givenClient.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    throw new Error(`${file} is not in the format that --help shows.`);
  }
}
