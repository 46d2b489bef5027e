import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { environmentOf, type LocalAws } from '#infra/cli/local-aws.ts';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import type { LocalProviders } from '#infra/stage/local-providers.ts';
import { runCommand } from './run-command.ts';

const cdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

interface Synthesis {
  readonly aws: LocalAws;
  /** The folder that is written. */
  readonly assembly: string;
  readonly windowSeconds: number | undefined;
  readonly docsUrl: string;
  /** None when everything is simulated. */
  readonly providers: LocalProviders;
  readonly signal: AbortSignal;
}

/** Where each resource was made in the source: the toolkit reads it anew for every event of a deployment, in seconds. */
const withoutOrigins = {
  'aws:cdk:disable-creation-stack-traces': true,
  'aws:cdk:disable-logicalId-metadata': true,
  '@aws-cdk/core:enableAdditionalMetadataCollection': false,
};

/**
 * Runs the CDK app as the CDK's command line does, with the settings of the local stage; a broken rule of cdk-nag fails
 * it. The schemas of CloudFormation are left to the tests, which check every stage: they take twice as long as all else.
 */
export async function synthesise({
  aws,
  assembly,
  windowSeconds,
  docsUrl,
  providers,
  signal,
}: Synthesis): Promise<void> {
  const { context } = cdkJson.parse(JSON.parse(await readFile(join(projectDirectory, 'cdk.json'), 'utf8')));
  const local = {
    stage: 'local',
    docs: docsUrl,
    ...(windowSeconds !== undefined && { window: windowSeconds }),
    ...(Object.keys(providers).length > 0 && { providers: JSON.stringify(providers) }),
  };
  await runCommand(process.execPath, ['infra/app.ts'], {
    cwd: projectDirectory,
    env: {
      ...environmentOf(aws),
      CDK_OUTDIR: assembly,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:version-reporting': false, ...withoutOrigins, ...local }),
    },
    signal,
  });
}
