import { setTimeout as wait } from 'node:timers/promises';
import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { documentClient } from '#shared/platform/dynamodb/client.ts';

/** Seconds within which IAM has told everybody of a new role. */
const PATIENCE = 60;

type Fields = Readonly<Record<string, string>>;

/** Calls IAM and STS, whose answers are a few fields of XML. */
function createQuery({ config }: CloudFormationClient) {
  return async (service: 'iam' | 'sts', fields: Fields): Promise<string> => {
    const region = service === 'iam' ? 'us-east-1' : await config.region();
    const host = service === 'iam' ? 'iam.amazonaws.com' : `sts.${region}.amazonaws.com`;
    const version = service === 'iam' ? '2010-05-08' : '2011-06-15';
    const body = new URLSearchParams({ ...fields, Version: version }).toString();
    const signer = new SignatureV4({ ...config, region, service });
    const { headers } = await signer.sign({
      ...{ method: 'POST', protocol: 'https:', hostname: host, path: '/', body },
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    });
    const answer = await fetch(`https://${host}/`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${fields['Action']}: ${fieldOf(text, 'Message') || text}`);
    return text;
  };
}

function fieldOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';
}

/** The policy that a deployed function has. */
export async function policyOf(account: CloudFormationClient, roleName: string): Promise<string> {
  const query = createQuery(account);
  const fields = { Action: 'GetRolePolicy', RoleName: roleName, PolicyName: 'Function' };
  return decodeURIComponent(fieldOf(await query('iam', fields), 'PolicyDocument'));
}

/** Has the tables used as a role with this policy may; the role is there meanwhile, and nobody else takes it on. */
export async function asRoleWith(
  account: CloudFormationClient,
  policy: string,
  use: (dynamo: DynamoDBDocumentClient) => Promise<void>,
): Promise<void> {
  const query = createQuery(account);
  const owner = fieldOf(await query('sts', { Action: 'GetCallerIdentity' }), 'Account');
  const RoleName = `try-permissions-${Date.now()}`;
  const PolicyName = 'Tried';
  const trust = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${owner}:root` },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': RoleName } },
      },
    ],
  };
  const AssumeRolePolicyDocument = JSON.stringify(trust);
  const made = await query('iam', { Action: 'CreateRole', RoleName, AssumeRolePolicyDocument });
  try {
    await query('iam', { Action: 'PutRolePolicy', RoleName, PolicyName, PolicyDocument: policy });
    const taken = await untilKnown(() =>
      query('sts', {
        ...{ Action: 'AssumeRole', RoleArn: fieldOf(made, 'Arn'), RoleSessionName: 'try-permissions' },
        ExternalId: RoleName,
      }),
    );
    // A policy takes longer than its role to be known everywhere, and until then everything is denied.
    await wait(20_000);
    const credentials = {
      accessKeyId: fieldOf(taken, 'AccessKeyId'),
      secretAccessKey: fieldOf(taken, 'SecretAccessKey'),
      sessionToken: fieldOf(taken, 'SessionToken'),
    };
    await use(documentClient(new DynamoDBClient({ region: account.config.region, credentials })));
  } finally {
    await query('iam', { Action: 'DeleteRolePolicy', RoleName, PolicyName }).catch(() => undefined);
    await query('iam', { Action: 'DeleteRole', RoleName });
  }
}

async function untilKnown<Output>(call: () => Promise<Output>): Promise<Output> {
  for (let seconds = 0; ; seconds += 5) {
    try {
      return await call();
    } catch (error) {
      if (seconds >= PATIENCE) throw error;
      await wait(5000);
    }
  }
}
