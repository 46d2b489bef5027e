import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { serviceApp } from '#test/support/synthesised.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const textOf = (name: string) => readFileSync(join(root, '.github/workflows', name), 'utf8');
const workflows = globSync('*.yml', { cwd: join(root, '.github/workflows') });

describe('workflows', () => {
  test.each(workflows)('%s names actions by their digest, with the tag beside it', (name) => {
    const used = [...textOf(name).matchAll(/\buses: (?!\.\/)(.*)$/gm)].map(([, action]) => action);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual([]);
  });

  test.each(workflows)('%s has only read permissions unless it names others', (name) => {
    expect(textOf(name)).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(textOf(name)).not.toMatch(/contents: write|write-all|pull_request_target/);
  });

  test('run no script of a package in a job that may become a role of an account, or has secrets', () => {
    const jobs = workflows.flatMap((name) => textOf(name).split(/^(?= {2}\w+:$)/m));
    const entrusted = jobs.filter((job) => /id-token: write|\bsecrets\./.test(job));
    const installs = entrusted.flatMap((job) => job.match(/\bnpm ci\b.*/g) ?? []);
    expect(installs).toHaveLength(4);
    expect(installs.filter((install) => !install.includes(' --ignore-scripts'))).toEqual([]);
  });

  test('use only secrets of an environment that takes only main: secrets of the repository are open to every branch', () => {
    const jobs = workflows.flatMap((name) => textOf(name).split(/^(?= {2}\w+:$)/m));
    const secret = jobs.filter((job) => job.includes('secrets.'));
    expect(secret).toHaveLength(1);
    expect(secret.filter((job) => !/^ {4}environment: \w+$/m.test(job))).toEqual([]);
  });

  test('check packages for known vulnerabilities each day: weeks may pass without a deployment', () => {
    expect(textOf('drift.yml')).toMatch(/^ +npm audit --omit=dev$/m);
  });

  test.each(['pipeline.yml', 'deploy.yml'])('%s refuses a loss in the data stack', (name) => {
    expect(textOf(name)).toMatch(/cdk diff .*--fail-on destructive "\S+-data"/);
  });
});

interface Resource {
  readonly Properties: Record<string, unknown>;
}

const template = z.object({ Resources: z.record(z.string(), z.unknown()) });
const { app, data, outdir } = serviceApp('staging');
app.synth();
const [events, books, pools] = ['Tablesevents5B2337FE', 'TablesbooksB8472876', 'TablesaddressPool72D01DAA'];

/** The output of `cdk diff` where the template with this change is deployed. */
function diff(name: string, change: (resources: Record<string, Resource>) => void) {
  const deployed = JSON.parse(readFileSync(join(outdir, `${data.stackName}.template.json`), 'utf8'));
  expect(template.parse(deployed).Resources).toMatchObject({ [events]: {}, [books]: {}, [pools]: {} });
  change(deployed.Resources);
  const file = join(outdir, `${name}.json`);
  writeFileSync(file, JSON.stringify(deployed));
  const words = ['cdk', 'diff', '--app', outdir, '--template', file, '--fail-on', 'destructive', data.stackName];
  return new Promise<{ status: unknown; said: string }>((resolve) => {
    execFile('npx', words, { cwd: root, env: { ...process.env, NO_COLOR: '1', CI: 'true' } }, (error, out, said) =>
      resolve({ status: error?.code ?? 0, said: `${out}${said}` }),
    );
  });
}

describe('deploying: cdk diff --fail-on destructive', () => {
  test('refuses another key of a table', { timeout: 120_000 }, async () => {
    const { status, said } = await diff('key', ({ [events]: table }) => {
      Object.assign(table?.Properties ?? {}, { KeySchema: [{ AttributeName: 'subject', KeyType: 'HASH' }] });
    });
    expect([status, said]).toEqual([1, expect.stringContaining(`${events} will be replaced`)]);
  });

  test('refuses a table under another id: the old one is kept, and nothing uses it', { timeout: 120_000 }, async () => {
    const { status, said } = await diff('renamed', (resources) => {
      Object.assign(resources, { TablesbooksBefore: resources[books] });
      delete resources[books];
    });
    expect([status, said]).toEqual([1, expect.stringContaining('TablesbooksBefore will be orphaned')]);
  });

  test('accepts a new table and a new index', { timeout: 120_000 }, async () => {
    const { status, said } = await diff('harmless', (resources) => {
      delete resources[pools];
      Object.assign(resources[events]?.Properties ?? {}, { GlobalSecondaryIndexes: [] });
    });
    expect([status, said]).toEqual([0, expect.stringContaining('GlobalSecondaryIndexes')]);
  });
});
