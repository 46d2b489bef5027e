import { SignatureV4 } from '@smithy/signature-v4';
import type { LocalAws } from './local-aws.ts';
import { OpsError } from './ops-error.ts';
import type { Service } from './service.ts';

/** A role of nobody: the local AWS lets whoever has the credentials of its run assume any. */
const OPERATORS = 'arn:aws:iam::000000000000:role/operators';

/**
 * The local AWS as it is called in a session of a role: the name of the session is that of the person. On AWS the trust
 * policy of the role says who may have which name; here everybody may.
 *
 * @throws {OpsError} when the local AWS refuses the name
 */
export async function assumeLocally(
  aws: LocalAws,
  signing: Service['signing'],
  person: string,
  RoleArn = OPERATORS,
): Promise<LocalAws> {
  const { hostname, port, protocol, host } = new URL(aws.endpoint);
  const asked = { Action: 'AssumeRole', Version: '2011-06-15', RoleArn, RoleSessionName: person };
  const body = new URLSearchParams(asked).toString();
  const { headers } = await new SignatureV4({ ...signing, service: 'sts' }).sign({
    ...{ method: 'POST', protocol, hostname, path: '/', body },
    ...(port !== '' && { port: Number(port) }),
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
  });
  const signal = AbortSignal.timeout(10_000);
  const answer = await (await fetch(aws.endpoint, { method: 'POST', headers, body, signal })).text();
  const said = (field: string) => new RegExp(`<${field}>([^<]+)<`).exec(answer)?.[1] ?? '';
  const credentials = {
    accessKeyId: said('AccessKeyId'),
    secretAccessKey: said('SecretAccessKey'),
    sessionToken: said('SessionToken'),
  };
  if (credentials.accessKeyId === '')
    throw new OpsError('usage', `Nobody can be called ${JSON.stringify(person)} here.`);
  return { ...aws, credentials };
}
