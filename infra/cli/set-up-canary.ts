import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { copyName, operatorsStackName } from '#infra/stacks/stack-names.ts';
import { connect } from '#sdk/connect.ts';
import type { CanarySecret } from '#shared/canary/canary-secret.ts';
import { stackOutput } from './find-service.ts';
import { awsOf, readOutputs } from './local-outputs.ts';
import {
  addSandboxUser,
  type Credentials,
  createClient,
  type Operator,
  type Output,
  operatorAt,
} from './new-client.ts';
import { findSmokeTarget } from './smoke-target.ts';

export interface CanaryOptions {
  readonly stage: 'local' | 'staging' | 'prod';
  readonly profile?: string | undefined;
  readonly port?: string | undefined;
  /** PEM files. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Creates a client for the canary of a stage and puts it into the canary's secret. In production it is never approved:
 * it can read what the canary reads, and change nothing.
 *
 * @returns the client's id
 */
export async function setUpCanary(options: CanaryOptions, output: Output): Promise<string> {
  const { stage, profile, port } = options;
  // Everything that can fail comes before the client, which would be left unused.
  const identity = await readIdentity(options);
  const aws = stage === 'local' ? awsOf(await readOutputs(port)) : profile === undefined ? {} : { profile };
  const stack = operatorsStackName(copyName(stage));
  const SecretId = await stackOutput(new CloudFormationClient(aws), stack, 'CanarySecret');
  const ofCommands = Object.entries({ stage, profile, port }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const ops = operatorAt(ofCommands, 'The client of the canary', output);
  const credentials = await createClient(ops, 'Canary');
  const user = stage === 'prod' ? undefined : await approvedUser(ops, { stage, profile, port }, credentials);
  const secret: CanarySecret = { ...credentials, ...identity, ...(user && { user }) };
  await new SecretsManagerClient(aws).send(
    new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(secret) }),
  );
  return credentials.clientId;
}

async function approvedUser(
  ops: Operator,
  options: Omit<CanaryOptions, 'certificate' | 'key'>,
  credentials: Credentials,
) {
  const { clientId } = credentials;
  await ops(['approve-client', clientId, '--yes']);
  const { baseUrl, fetch, isSimulated } = await findSmokeTarget(options);
  return await addSandboxUser(ops, { call: connect({ baseUrl, credentials, fetch }), clientId, isSimulated });
}

/** @throws when the key is not that of the certificate */
async function readIdentity({ certificate, key }: CanaryOptions) {
  if (certificate === undefined || key === undefined) return {};
  const [certificatePem, privateKeyPem] = [await readFile(certificate, 'utf8'), await readFile(key, 'utf8')];
  if (!new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem)))
    throw new Error(`${key} is not the key of ${certificate}.`);
  return { certificatePem, privateKeyPem };
}
