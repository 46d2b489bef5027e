import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { runProcess } from '#infra/local/run-process.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import { appOf, serviceApp, stageNames } from '#test/support/synthesised.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const report = z.object({
  pluginReports: z.array(
    z.object({ violations: z.array(z.object({ ruleName: z.string(), description: z.string() })) }),
  ),
});

/** Names of the broken rules that a synthesis found, of cdk-nag and of the CDK. */
function findingsIn(outdir: string): readonly string[] {
  const { pluginReports } = report.parse(JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')));
  return pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName));
}

describe.each(stageNames)('the rules of cdk-nag for %s', (stageName) => {
  test('are all kept or acknowledged with a reason', { timeout: 180_000 }, () => {
    const { app: checked, outdir } = serviceApp(stageName, {}, true);
    Validations.of(checked).addPlugins(new AwsSolutionsChecks(checked));
    checked.synth();
    expect(findingsIn(outdir)).toEqual([]);
  });

  const { app, data, service } = serviceApp(stageName);

  test('are acknowledged where they are broken, never for a stack or the app as a whole', () => {
    const kinds = [app, data, service].flatMap(({ node }) => node.metadata).map(({ type }) => type);
    expect(kinds).not.toContain(Validations.ACKNOWLEDGED_RULES_METADATA_KEY);
  });

  test('are acknowledged with a sentence', () => {
    const reasons = app.node
      .findAll()
      .flatMap(({ node }) =>
        node.metadata
          .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
          .flatMap(({ data }) => Object.values(z.record(z.string(), z.string()).parse(data))),
      );
    expect(reasons).not.toEqual([]);
    expect(reasons.filter((reason) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([]);
  });
});

test('the rules of cdk-nag are kept by a production with real providers, too', { timeout: 180_000 }, () => {
  const { app, outdir } = appOf(withRealProviders(['ETHEREUM', 'STELLAR', 'SOLANA'], 'prod'), true);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
  expect(findingsIn(outdir)).toEqual([]);
});

describe('the app', () => {
  let outdir = '';
  beforeAll(async () => {
    outdir = await mkdtemp(join(tmpdir(), 'payin-offramp-planted-'));
  });
  afterAll(() => rm(outdir, { recursive: true, force: true }));

  test('runs cdk-nag, whose findings fail the synthesis', { timeout: 180_000 }, async () => {
    const planted = `
      import { createRequire } from 'node:module';
      const { AwsSolutionsChecks } = createRequire(${JSON.stringify(root)})('cdk-nag');
      AwsSolutionsChecks.prototype.validateScope = () => ({
        success: false,
        violations: [
          {
            ruleName: 'Planted',
            description: 'Planted',
            severity: 'error',
            violatingResources: [{ constructPath: 'payin-offramp-prod-service', locations: [] }],
          },
        ],
      });`;
    const preload = `data:text/javascript,${encodeURIComponent(planted)}`;
    const synthesis = runProcess(process.execPath, ['--import', preload, 'infra/app.ts'], {
      cwd: root,
      // The schemas of CloudFormation are checked above; checking them takes twice as long as everything else.
      env: { CDK_OUTDIR: outdir, CDK_VALIDATION: 'false', CDK_CONTEXT_JSON: '{"stage":"prod"}' },
    });
    await expect(synthesis).rejects.toThrow('Planted');
    expect(findingsIn(outdir)).toEqual(['Planted']);
  });
});
