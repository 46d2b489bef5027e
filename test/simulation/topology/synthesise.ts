import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod/mini';
import { withoutSourceLocations } from '#infra/local/synthesise.ts';
import { createStacks } from '#infra/stacks/create-stacks.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { mapValues } from '#shared/platform/collections.ts';

// As in vitest.config.ts, for programs that play the simulation without vitest.
process.env['EXAMPLE_SETTINGS'] = 'yes';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A service that notifies clients, as the local stage names it. */
const partner = stageNamed('local').settings.publishers;

const flags = z.object({ context: z.record(z.string(), z.unknown()) });

/** The templates of staging, which has every resource of any stage, and the real networks' finality. */
export const synthesiseStaging = () => synthesise('staging');

/** Synthesises a stage's templates. Its functions have no code; the simulation imports it from the sources. */
export function synthesise(stage: 'staging' | 'prod') {
  const directory = mkdtempSync(join(tmpdir(), 'payin-offramp-simulation-'));
  try {
    const code = join(directory, 'code');
    mkdirSync(code);
    writeFileSync(join(code, 'handler.mjs'), '');
    const bundle = { directory: code, bytes: 0, inputs: [] };
    const folders = globSync('functions/*/*/handler.ts', { cwd: root }).map((file) =>
      relative('functions', dirname(file)),
    );
    const { context } = flags.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')));
    const app = new App({
      outdir: join(directory, 'out'),
      context: { ...context, ...withoutSourceLocations },
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const bundles = new Map(folders.map((folder) => [folder, bundle]));
    const named = stageNamed(stage);
    const settings = { ...named.settings, publishers: { ...named.settings.publishers, ...partner } };
    const { networkRules } = stageNamed('prod');
    const stacks = createStacks(app, { ...named, settings, networkRules }, bundles);
    return mapValues(stacks, (stack): unknown => Template.fromStack(stack).toJSON());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
