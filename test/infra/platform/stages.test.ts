import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '#infra/local/run-command.ts';
import { acceptsOrders, stageNamed } from '#infra/stage/stages.ts';
import { networks } from '#shared/networks/network.ts';
import { functionsOf, stageNames, synthesise } from '#test/support/synthesised.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the local stage', () => {
  test.each(networks)(
    'takes a transaction on %s for final after two seconds, with the confirmations of other stages',
    (network) => {
      const { minimumConfirmations } = stageNamed('prod').networkRules[network];
      expect(stageNamed('local').networkRules[network]).toEqual({ finalitySeconds: 2, minimumConfirmations });
    },
  );
});

describe.each(['staging', 'prod'] as const)('the stage %s', (stageName) => {
  test('waits for the finality of the network, at least two confirmations where blocks can be undone', () => {
    const { networkRules } = stageNamed(stageName);
    for (const network of networks) expect(networkRules[network].finalitySeconds).toBeGreaterThanOrEqual(5);
    for (const network of ['ETHEREUM', 'POLYGON', 'BASE', 'ARBITRUM', 'OPTIMISM', 'BSC', 'TRON'] as const) {
      expect(networkRules[network].minimumConfirmations).toBeGreaterThanOrEqual(2);
    }
  });
});

describe('the name of a stage', () => {
  test.each(stageNames)('%s is that stage', (stageName) => {
    expect(stageNamed(stageName).name).toBe(stageName);
  });

  test('is staging when none is given', () => {
    expect(stageNamed(undefined).name).toBe('staging');
  });

  test.each(['production', 'Prod', '', 'constructor', 7, true])(
    'that is none, as %j, is answered with those there are',
    (name) => {
      expect(() => stageNamed(name)).toThrow(
        `There is no stage ${JSON.stringify(name)}: give -c stage=staging, -c stage=prod or -c stage=local.`,
      );
    },
  );

  test('decides alone on the sandbox: prod has none', () => {
    expect(stageNames.map((stageName) => stageNamed(stageName).hasSandbox)).toEqual([true, true, false]);
  });
});

describe('synthesis on a machine that knows no AWS', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'payin-offramp-synth-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** No AWS variables, and a home without profiles. */
  const bareEnvironment = () => ({
    PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    HOME: directory,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  });

  const runApp = (context: Readonly<Record<string, string>>) =>
    runCommand('node', ['infra/app.ts'], {
      cwd: root,
      env: {
        ...bareEnvironment(),
        // The schemas of CloudFormation are checked for every stage elsewhere: they take twice as long as all else.
        CDK_VALIDATION: 'false',
        CDK_OUTDIR: join(directory, JSON.stringify(context).replaceAll(/\W+/g, '-')),
        CDK_CONTEXT_JSON: JSON.stringify(context),
      },
    });

  // Staging goes where the credentials lead; prod belongs to the account of its settings, and refuses those of another.
  test.each([
    ['staging', 'aws://unknown-account/unknown-region', []],
    [
      'prod',
      'aws://111122223333/us-east-1',
      ['environment.account: 111122223333', 'domains.api.name: api.example.com'],
    ],
  ])(
    'makes the template of %s, for %s, and says which settings are still examples',
    { timeout: 180_000, concurrent: true },
    async (stageName, environment, examples) => {
      const output = join(directory, stageName);
      const args = ['synth', '--quiet', '--no-notices', '-c', `stage=${stageName}`, '-o', output];
      const said = await runCommand('cdk', args, { cwd: root, env: bareEnvironment() });
      expect(said.includes('still has examples')).toBe(examples.length > 0);
      for (const example of examples) expect(said).toContain(`\n${example}\n`);
      const templates = ['data', 'service'].map((name) =>
        join(output, `payin-offramp-${stageName}-${name}.template.json`),
      );
      const written = (await Promise.all(templates.map((file) => readFile(file, 'utf8')))).join('');
      expect(written).toContain(`payin-offramp-${stageName}-service-deposit-verification`);
      // CloudFormation gives back what is beyond ASCII as question marks, and every diff would show a change.
      expect(written.match(/[^\n -~]/g)).toBeNull();
      expect(await readFile(join(output, 'manifest.json'), 'utf8')).toContain(`"${environment}"`);
    },
  );

  test('fails for an unknown stage, naming those there are', { timeout: 180_000, concurrent: true }, async () => {
    await expect(runApp({ stage: 'production' })).rejects.toThrow(
      'There is no stage "production": give -c stage=staging, -c stage=prod or -c stage=local.',
    );
  });
});

describe('decisions 5: production without a real custodian or rail', () => {
  const creations = [
    ['create-withdrawal', 'CREATES_WITHDRAWALS', 'custodian'],
    ['create-payin', 'CREATES_PAYINS', 'rail'],
  ] as const;

  test.each(creations)(
    '%s is told that it creates nothing while production has a simulated one',
    (route, setting, provider) => {
      const made = functionsOf(synthesise('prod')).filter(({ name }) => name === route);
      // Until a real one is named in stages.ts.
      expect(stageNamed('prod')[provider].name).toBe('simulated');
      expect(made.map(({ environment }) => environment[setting])).toEqual(['false']);
    },
  );

  test.each(creations)('%s creates on the other stages', (route, setting) => {
    const made = (['local', 'staging'] as const).flatMap((name) => functionsOf(synthesise(name)));
    const given = made.filter(({ name }) => name === route).map(({ environment }) => environment[setting]);
    expect(given).toEqual(['true', 'true']);
  });

  test.each(creations)('%s creates in production once there is a real one', (_, __, provider) => {
    const prod = stageNamed('prod');
    const honoured = (isSimulated: boolean) =>
      acceptsOrders({ ...prod, [provider]: { ...prod[provider], isSimulated } }, provider);
    expect([honoured(true), honoured(false)]).toEqual([false, true]);
  });
});
