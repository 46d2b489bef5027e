import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { bundleFunctions } from '#infra/bundle/bundle-functions.ts';
import { printedPolicies } from '#infra/operators/duties.ts';
import { permissionsTable } from '#infra/platform/permissions-table.ts';
import { createStacks } from '#infra/stacks/create-stacks.ts';
import { stageNamed } from '#infra/stage/stages.ts';

const page = new URL('../../docs/permissions.md', import.meta.url);
const flags = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'))).context;

// The page is about the example settings, like its test.
process.env['EXAMPLE_SETTINGS'] = 'yes';
const outdir = mkdtempSync(join(tmpdir(), 'permissions-'));
try {
  const app = new App({ outdir, context: flags, analyticsReporting: false });
  const { service, operators } = createStacks(
    app,
    stageNamed('prod'),
    await bundleFunctions(join(outdir, 'functions')),
  );
  const assembly = app.synth();
  const table = permissionsTable(
    [service, operators].map(({ artifactId }) => assembly.getStackArtifact(artifactId).template),
  );
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text
      .replace(/(?<=<!-- begin -->\n)[\s\S]*(?=<!-- end -->)/, `\n${table}\n\n`)
      .replace(/(?<=<!-- begin roles -->\n)[\s\S]*(?=<!-- end roles -->)/, `\n${printedPolicies()}\n\n`),
  );
} finally {
  rmSync(outdir, { recursive: true });
}
