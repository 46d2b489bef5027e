import { SignatureV4 } from '@smithy/signature-v4';
import type { LocalAws } from './local-aws.ts';
import { ENDED_HINT } from './local-outputs.ts';
import { OpsError } from './ops-error.ts';
import type { Service } from './service.ts';

/** The role of a local run's operators; anyone with the credentials of the run may assume it. */
const ROLE = 'operators';
const ACCOUNT = '000000000000';
const OPERATORS = `arn:aws:iam::${ACCOUNT}:role/${ROLE}`;

const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: 'sts:AssumeRole' }],
});

const EVERY_ROUTE = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }],
});

/**
 * Returns the local AWS as called in a session of a role; the session's name is the person's. On AWS the trust policy
 * of the role limits the names that a person may use; here every name is accepted.
 *
 * @param RoleArn a role that may call the operators' API; without it, one that may call all of it is created
 * @throws {OpsError} when the local AWS refuses the name, or does not answer
 */
export async function assumeLocally(
  aws: LocalAws,
  signing: Service['signing'],
  person: string,
  RoleArn = OPERATORS,
): Promise<LocalAws> {
  const ask = createAsk(aws, signing);
  if (RoleArn === OPERATORS) {
    const iam = { Version: '2010-05-08', RoleName: ROLE };
    // The role already exists from the second call on, and the refusal is ignored.
    await ask('iam', { ...iam, Action: 'CreateRole', AssumeRolePolicyDocument: TRUST });
    await ask('iam', { ...iam, Action: 'PutRolePolicy', PolicyName: 'operators', PolicyDocument: EVERY_ROUTE });
  }
  const answer = await ask('sts', {
    ...{ Action: 'AssumeRole', Version: '2011-06-15' },
    ...{ RoleArn, RoleSessionName: person },
  });
  const textOf = (field: string) => new RegExp(`<${field}>([^<]+)<`).exec(answer)?.[1] ?? '';
  const credentials = {
    accessKeyId: textOf('AccessKeyId'),
    secretAccessKey: textOf('SecretAccessKey'),
    sessionToken: textOf('SessionToken'),
  };
  if (credentials.accessKeyId === '')
    throw new OpsError('usage', `Nobody can be called ${JSON.stringify(person)} here.`);
  return { ...aws, credentials };
}

/** Calls a service of the local AWS by its query protocol. */
function createAsk({ endpoint }: LocalAws, signing: Service['signing']) {
  const { hostname, port, protocol, host } = new URL(endpoint);
  return async (service: string, asked: Readonly<Record<string, string>>): Promise<string> => {
    const body = new URLSearchParams(asked).toString();
    const { headers } = await new SignatureV4({ ...signing, service }).sign({
      ...{ method: 'POST', protocol, hostname, path: '/', body },
      ...(port !== '' && { port: Number(port) }),
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    });
    const signal = AbortSignal.timeout(10_000);
    try {
      return await (await fetch(endpoint, { method: 'POST', headers, body, signal })).text();
    } catch {
      throw new OpsError('failed', `Nothing answers at ${endpoint}. ${ENDED_HINT}`);
    }
  };
}
