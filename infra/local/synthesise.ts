import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { environmentOf, type LocalAws } from '#infra/cli/local-aws.ts';
import { localDirectory, projectDirectory } from '#infra/cli/local-directory.ts';
import type { LocalProviders } from '#infra/stage/local-providers.ts';
import { runProcess } from './run-process.ts';

const cdkJson = z.object({ context: z.record(z.string(), z.unknown()) });

interface Synthesis {
  readonly aws: LocalAws;
  readonly windowSeconds: number | undefined;
  readonly docsUrl: string;
  /** Empty when everything is simulated. */
  readonly providers: LocalProviders;
  readonly signal: AbortSignal;
}

/**
 * Leaves out where resources were made in the source: the toolkit reads it again for every event, which takes seconds.
 */
export const withoutSourceLocations = {
  'aws:cdk:disable-creation-stack-traces': true,
  'aws:cdk:disable-logicalId-metadata': true,
  '@aws-cdk/core:enableAdditionalMetadataCollection': false,
};

/** The assemblies of earlier starts, each in a folder named after its inputs. */
const assemblies = join(localDirectory, 'assemblies');

/** Assemblies that are kept: enough for two copies of the service with two kinds of settings. */
const MOST_KEPT = 4;

/**
 * Runs the CDK app as the CDK's command line does, with the settings of the local stage; a broken rule of cdk-nag makes
 * it fail. Only the tests check the schemas of CloudFormation, for every stage: that takes twice as long as all else.
 * An assembly of the same sources, packages and settings is used again, because making it is half of a start.
 *
 * @returns the folder of the assembly
 */
export async function synthesise({ aws, windowSeconds, docsUrl, providers, signal }: Synthesis): Promise<string> {
  const { context } = cdkJson.parse(JSON.parse(await readFile(join(projectDirectory, 'cdk.json'), 'utf8')));
  const local = {
    stage: 'local',
    docs: docsUrl,
    ...(windowSeconds !== undefined && { window: windowSeconds }),
    ...(Object.keys(providers).length > 0 && { providers: JSON.stringify(providers) }),
  };
  const settings = {
    CDK_VALIDATION: 'false',
    CDK_CONTEXT_JSON: JSON.stringify({
      ...context,
      'aws:cdk:version-reporting': false,
      ...withoutSourceLocations,
      ...local,
    }),
  };
  const assembly = join(assemblies, await nameOf(settings, aws));
  if (existsSync(assembly)) {
    const now = new Date();
    await utimes(assembly, now, now);
    return assembly;
  }
  await mkdir(assemblies, { recursive: true });
  const made = await mkdtemp(join(assemblies, 'new-'));
  try {
    const env = { ...environmentOf(aws), ...settings, CDK_OUTDIR: made };
    await runProcess(process.execPath, ['infra/app.ts'], { cwd: projectDirectory, env, signal });
    // Two starts may make the same assembly: the first one is kept.
    await rename(made, assembly).catch((error: unknown) => {
      if (!existsSync(assembly)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  await dropOldest();
  return assembly;
}

/** A digest of all inputs: the settings, and every file that the app, the functions and the site are made of. */
async function nameOf(settings: Readonly<Record<string, string>>, { endpoint }: LocalAws): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([settings, endpoint, process.version]));
  const sources = globSync('{functions,shared,infra,sdk,docs,released}/**/*.*', { cwd: projectDirectory });
  const others = ['package.json', 'openapi.json', 'tsconfig.json', 'node_modules/.package-lock.json'];
  for (const file of [...sources.toSorted(), ...others]) {
    const content = await readFile(join(projectDirectory, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Removes the oldest assemblies, and what killed starts have left. Other starts may do the same now. */
async function dropOldest(): Promise<void> {
  const used = await Promise.all(
    (await readdir(assemblies)).map(async (name) => {
      const at = await stat(join(assemblies, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { name, at };
    }),
  );
  const oldest = used.toSorted((one, other) => other.at - one.at).slice(MOST_KEPT);
  for (const { name } of oldest) await rm(join(assemblies, name), { recursive: true, force: true });
}
