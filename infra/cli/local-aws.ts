import { randomBytes } from 'node:crypto';

/** A local AWS and the credentials for it. */
export interface LocalAws {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    /** Only of a session. */
    readonly sessionToken?: string;
  };
}

/** Creates the credentials of one run, which accepts no others. They are valid nowhere else. */
export function newCredentials(): LocalAws['credentials'] {
  const accessKeyId = `AKIA${randomBytes(16).toString('hex').toUpperCase()}`;
  return { accessKeyId, secretAccessKey: randomBytes(20).toString('hex') };
}

/** The credentials that an emulator without a guard accepts. */
export const widelyKnownCredentials: LocalAws['credentials'] = { accessKeyId: 'test', secretAccessKey: 'test' };

export function localAwsAt(endpoint: string, credentials: LocalAws['credentials']): LocalAws {
  return { endpoint, region: 'us-east-1', credentials };
}

/** The environment in which a process calls the local AWS: no settings, profiles or files of another account. */
export function environmentOf(aws: LocalAws): NodeJS.ProcessEnv {
  const nothing = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
  return { ...withoutAws(), ...nothing, ...identityOf(aws), AWS_ENDPOINT_URL: aws.endpoint };
}

/** The environment variables of the identity with which a process calls AWS, or of an emulator's account. */
export function identityOf({ region, credentials }: LocalAws): NodeJS.ProcessEnv {
  return {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
}

/** The environment of this process without its AWS account and endpoint, which the emulator's Lambdas would use. */
export function withoutAws(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
}
