import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { copyName, operatorsStackName } from '#infra/stacks/stack-names.ts';
import { assumeLocally } from './assume-locally.ts';
import type { Target } from './command-context.ts';
import type { LocalAws } from './local-aws.ts';
import { awsOf, ENDED_HINT, readOutputs, START_HINT } from './local-outputs.ts';
import { OpsError } from './ops-error.ts';
import { credentialsError, isErrorNamed, type Service } from './service.ts';

export function findService({ stage, profile, port, as }: Target): Promise<Service> {
  return stage === 'local' ? localService(port, as) : deployedService(stage, profile);
}

/** Finds the service that npm start runs on this machine. */
async function localService(port: string | undefined, person: string | undefined): Promise<Service> {
  const outputs = await readOutputs(port);
  const name = `the local service at ${outputs.baseUrl}`;
  const aws = awsOf(outputs);
  const root = serviceAt(outputs.operatorsApi, name, aws);
  const service =
    person === undefined ? root : serviceAt(root.url, name, await assumeLocally(aws, root.signing, person));
  return { ...service, whenSilent: ENDED_HINT };
}

/** A service whose calls are signed with the credentials of the local AWS. */
export function serviceAt(url: string, name: string, { region, credentials }: LocalAws): Service {
  const { config } = new CloudFormationClient({ region, credentials });
  return { name, url, signing: config, fetch, whenSilent: START_HINT };
}

/** Finds a deployed service by an output of its stack; identity and region come from the settings of AWS. */
async function deployedService(stage: string, profile: string | undefined): Promise<Service> {
  const client = new CloudFormationClient(profile === undefined ? {} : { profile });
  const url = await stackOutput(client, operatorsStackName(copyName(stage)), 'OperatorsApiUrl');
  return { name: stage, url, signing: client.config, fetch, whenSilent: 'Is this machine online?' };
}

/** @throws {OpsError} when the stack cannot be read, or has no such output */
export async function stackOutput(client: CloudFormationClient, StackName: string, name: string): Promise<string> {
  const outputs = await client.send(new DescribeStacksCommand({ StackName })).then(
    ({ Stacks = [] }) => Stacks.flatMap(({ Outputs = [] }) => Outputs),
    (error: unknown) => {
      throw explainStackError(error, StackName);
    },
  );
  const value = outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
  if (value === undefined) throw new OpsError('failed', `The stack ${StackName} has no output ${name}: deploy it.`);
  return value;
}

/** The reason why a stack cannot be read, and what to do. */
export function explainStackError(error: unknown, stack: string): OpsError {
  if (isErrorNamed(error, 'CredentialsProviderError')) return credentialsError(error);
  const why = error instanceof Error ? error.message : String(error);
  if (why === 'Region is missing') {
    return new OpsError('usage', 'Set the region of the stage: by AWS_REGION, or by the settings of your --profile.');
  }
  if (isErrorNamed(error, 'ValidationError')) {
    return new OpsError('failed', `${why}: is the stage deployed in this account and region?`);
  }
  const needed = `The identity has to be allowed cloudformation:DescribeStacks on ${stack}`;
  return isErrorNamed(error, 'AccessDenied') || isErrorNamed(error, 'ExpiredToken')
    ? new OpsError('forbidden', `${needed}: ${why}`)
    : new OpsError('failed', `The stack ${stack} cannot be read: ${why}`);
}
