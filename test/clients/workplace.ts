import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { installPython } from '#infra/local/install-python.ts';
import { runProcess } from '#infra/local/run-process.ts';
import { MAVEN_DEPENDENCY_PLUGIN, OPENAPI_GENERATOR, OPENAPI_GENERATOR_DIGEST } from './pinned/versions.ts';

/** A folder of its own for what is generated and built, and the ways to do so. */
export interface Workplace {
  readonly directory: string;
  /** Empties the folder and puts files of ours in, under the names given or their own. */
  prepare(files: Readonly<Record<string, string>>): Promise<void>;
  run(command: string, args: readonly string[]): Promise<string>;
  maven(args: readonly string[]): Promise<string>;
  /** With the pinned packages. */
  python(args: readonly string[]): Promise<string>;
  openapiGenerator(args: readonly string[]): Promise<string>;
}

/**
 * @param environment variables besides those of this process
 */
export function workplace(name: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Workplace {
  const directory = join(localDirectory, 'clients', name);
  const runWith = (command: string, args: readonly string[], further: NodeJS.ProcessEnv) =>
    runProcess(command, args, { cwd: directory, env: { ...process.env, ...environment, ...further }, signal });
  const run = (command: string, args: readonly string[]) => runWith(command, args, {});
  return {
    directory,
    run,
    async prepare(files) {
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true });
      for (const [to, from] of Object.entries(files)) {
        await mkdir(dirname(join(directory, to)), { recursive: true });
        await copyFile(ours(from), join(directory, to));
      }
    },
    maven: (args) => run('mvn', [...QUIETLY, ...args]),
    async python(args) {
      const python = await installPython('clients', ours('pinned/requirements.txt'), signal);
      // Its commands are found by the generator, which formats what it has written.
      return runWith(python, args, { PATH: `${dirname(python)}${delimiter}${process.env['PATH']}` });
    },
    async openapiGenerator(args) {
      return run('java', ['-jar', await openapiGeneratorJar(signal), 'generate', ...args]);
    },
  };
}

const QUIETLY = ['--quiet', '--batch-mode'];

const ours = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Fetched once, by Maven as it is configured on this machine; looked at each time, because it is run. */
async function openapiGeneratorJar(signal: AbortSignal): Promise<string> {
  const jar = join(localDirectory, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  if (!existsSync(jar)) await fetchOpenapiGenerator(jar, signal);
  const digest = createHash('sha256')
    .update(await readFile(jar))
    .digest('hex');
  if (digest !== OPENAPI_GENERATOR_DIGEST) throw new Error(`${jar} is not the pinned one: its SHA-256 is ${digest}.`);
  return jar;
}

async function fetchOpenapiGenerator(jar: string, signal: AbortSignal): Promise<void> {
  await runProcess(
    'mvn',
    [
      ...QUIETLY,
      '--strict-checksums',
      `org.apache.maven.plugins:maven-dependency-plugin:${MAVEN_DEPENDENCY_PLUGIN}:copy`,
      `-Dartifact=org.openapitools:${basename(jar, `-${OPENAPI_GENERATOR}.jar`)}:${OPENAPI_GENERATOR}`,
      `-DoutputDirectory=${localDirectory}`,
    ],
    { cwd: localDirectory, signal },
  );
}
