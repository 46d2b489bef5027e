import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProcess } from '#infra/local/run-process.ts';
import { acceptsOrders, custodiansOf, railsOf, stageNamed } from '#infra/stage/stages.ts';
import { networks } from '#shared/networks/network.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import { functionsOf, stageNames, synthesise } from '#test/support/synthesised.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe.each(['local', 'staging'] as const)('the sandbox of the stage %s', (stageName) => {
  test.each(networks)('polls a simulated transaction on %s again after two seconds', (network) => {
    expect(stageNamed(stageName).networkRules[network]).toEqual({ finalitySeconds: 2 });
  });
});

test('a poll waits for the finality of the network where transactions are real, and in production', () => {
  for (const { networkRules } of [withRealProviders(networks), stageNamed('prod')])
    for (const network of networks) expect(networkRules[network].finalitySeconds).toBeGreaterThanOrEqual(5);
});

describe('the name of a stage', () => {
  test('is staging when none is given', () => {
    expect(stageNamed(undefined).name).toBe('staging');
  });

  test.each(['production', 'Prod', '', 'constructor', 7, true])(
    'that does not exist, such as %j, is answered with the names that exist',
    (name) => {
      expect(() => stageNamed(name)).toThrow(
        `No stage is ${JSON.stringify(name)}: give -c stage=staging, -c stage=prod or -c stage=local.`,
      );
    },
  );

  test('alone decides whether there is a sandbox: prod has none', () => {
    expect(stageNames.map((stageName) => stageNamed(stageName).hasSandbox)).toEqual([true, true, false]);
  });
});

describe('synthesis on a machine without settings of AWS', () => {
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
    EXAMPLE_SETTINGS: 'yes',
    // The schemas of CloudFormation are checked by security-rules.test.ts: they take longer than all else.
    CDK_VALIDATION: 'false',
  });

  // Staging is deployed to the account of the credentials; prod only to the account of its settings.
  test.each([
    ['staging', 'aws://unknown-account/unknown-region', []],
    [
      'prod',
      'aws://111122223333/us-east-1',
      ['environment.account: 111122223333', 'domains.api.name: api.example.com'],
    ],
  ])(
    'makes the template of %s, for %s, says which settings are still examples, and uses nothing deprecated',
    { timeout: 180_000, concurrent: true },
    async (stageName, environment, examples) => {
      const output = join(directory, stageName);
      const args = ['synth', '--quiet', '--no-notices', '-c', `stage=${stageName}`, '-o', output];
      const said = await runProcess('cdk', args, { cwd: root, env: bareEnvironment() });
      expect(said.includes('still has examples')).toBe(examples.length > 0);
      for (const example of examples) expect(said).toContain(`\n${example}\n`);
      expect(said).not.toContain('deprecated');
      const templates = ['data', 'service'].map((name) =>
        join(output, `payin-offramp-${stageName}-${name}.template.json`),
      );
      const written = (await Promise.all(templates.map((file) => readFile(file, 'utf8')))).join('');
      expect(written).toContain(`payin-offramp-${stageName}-service-deposit-verification`);
      // CloudFormation returns characters beyond ASCII as question marks, so every diff would show a change.
      expect(written.match(/[^\n -~]/g)).toBeNull();
      expect(await readFile(join(output, 'manifest.json'), 'utf8')).toContain(`"${environment}"`);
    },
  );
});

describe('decisions 5, production without a real rail or custodian:', () => {
  const creations = [
    ['create-withdrawal', 'ACCEPTED_NETWORKS', '[]', JSON.stringify(networks)],
    ['create-payin', 'ACCEPTED_METHODS', '[]', '["PSE","NEQUI","DAVIPLATA"]'],
  ] as const;

  test.each(creations)(
    '%s is told to create nothing while production has a simulated provider',
    (route, setting, none) => {
      const made = functionsOf(synthesise('prod')).filter(({ name }) => name === route);
      // This holds until stages.ts names a real provider.
      const prod = stageNamed('prod');
      expect([...custodiansOf(prod), ...railsOf(prod)].map(({ name }) => name)).toEqual(['simulated', 'simulated']);
      expect(made.map(({ environment }) => environment[setting])).toEqual([none]);
    },
  );

  test.each(creations)('%s creates on the other stages', (route, setting, _, all) => {
    const made = (['local', 'staging'] as const).flatMap((name) => functionsOf(synthesise(name)));
    const given = made.filter(({ name }) => name === route).map(({ environment }) => environment[setting]);
    expect(given).toEqual([all, all]);
  });

  test('both create in production once there is a real provider, by its methods and on its networks', () => {
    const prod = stageNamed('prod');
    expect([true, false].map((isSimulated) => acceptsOrders(prod, { isSimulated }))).toEqual([false, true]);
  });
});
