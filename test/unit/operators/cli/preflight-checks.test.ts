import { describe, expect, test } from 'vitest';
import { type Account, describeLine, preflightLines, stageFromOptions } from '#infra/cli/preflight-checks.ts';
import { readSettings } from '#infra/stage/read-settings.ts';
import type { Settings } from '#infra/stage/settings.ts';

/** The settings of the repository for prod, with a company's own names and addresses. */
const prod: Settings = JSON.parse(
  JSON.stringify(readSettings('prod'))
    .replaceAll('example', 'acme')
    .replaceAll('111122223333', '444455556666')
    .replaceAll(/192\.0\.2\.|198\.51\.100\.|203\.0\.113\./g, '10.0.0.')
    .replaceAll('2001:db8:', '2a00:1::'),
);
const ACCOUNT = prod.environment?.account ?? '';

const topic = { confirmed: 1, key: undefined, policy: '{"Principal":{"Service":"budgets.amazonaws.com"}}' };

const names = ['acme', 'example'].flatMap((whose) => [`api.${whose}.com`, `*.api.${whose}.com`]);
const certificate = { status: 'ISSUED', type: 'AMAZON_ISSUED', names };

/** An account that has everything that the checks look for, with these differences. */
function accountWith(differences: Partial<Account> = {}): Account {
  return {
    id: async () => ACCOUNT,
    bootstrapVersion: async () => 28,
    quotas: async (_, part) => new Map([[`${part} of an account`, 10_000]]),
    certificate: async () => certificate,
    trustStore: async () => {},
    topic: async () => topic,
    defaultRoute: async () => 'nat-1',
    securityGroupFault: async () => undefined,
    roleArn: async (name) => `arn:aws:iam::${ACCOUNT}:role/${name}`,
    trails: async () => ['arn:aws:cloudtrail:us-east-1:1:trail/all'],
    tablesInUse: async () => ['data-Tablesoperations-X', 'data-Tableshashes-X'],
    table: async () => 'ACTIVE',
    ...differences,
  };
}

const faultsOf = async (settings: Settings, account: Account) =>
  (await preflightLines(settings, account)).filter(({ fault }) => fault !== undefined).map(describeLine);

describe('preflight', () => {
  test('accepts an account that has everything, and has checked everything that the settings name', async () => {
    const lines = await preflightLines(prod, accountWith());
    expect(lines.map(describeLine)).toEqual(
      lines.map(({ what }) => expect.stringMatching(new RegExp(`^ok {7}${what}`))),
    );
    expect(lines.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'The certificate of admin.api.acme.com',
        'The trust store',
        "The canary's subnet subnet-00000444455556666",
        "The canary's security group sg-00000444455556666",
        `The publisher arn:aws:iam::${ACCOUNT}:role/acme-payouts`,
        'A trail of CloudTrail logs',
        'The topic of alarms call',
        'Transitions of executions',
      ]),
    );
  });

  test('refuses to go back from restored tables by settings that leave them out, and restored ones that are not ready', async () => {
    const [known, older] = ['data-Tablesoperations-X-20261127T100000Z', 'data-Tablesoperations-X-20261120T080000Z'];
    const restoring = accountWith({ tablesInUse: async () => [older, 'data-Tableshashes-X'] });
    expect(await faultsOf(prod, restoring)).toEqual([
      `missing  No restored table is left out: the service has ${older}, and would go back to tables before: keep them in the setting restored; 1 in use`,
    ]);
    const newer = accountWith({ tablesInUse: async () => [known] });
    const stale: Settings = { ...prod, restored: { at: '2026-11-20T08:00:00Z', tables: { operations: older } } };
    expect(await faultsOf(stale, newer)).toEqual([
      expect.stringContaining(`the service has ${known}, and would go back`),
    ]);
    const settings: Settings = { ...prod, restored: { at: '2026-11-27T10:00:00Z', tables: { operations: known } } };
    expect(await faultsOf(settings, restoring)).toEqual([]);
    expect(await faultsOf(settings, accountWith({ table: async () => 'CREATING' }))).toEqual([
      `missing  The restored table ${known}: it has to be ACTIVE, with all its indexes; CREATING`,
    ]);
  });

  test('refuses the settings of the repository as they are', async () => {
    const examples = readSettings('prod');
    const [of = ''] = [examples.environment?.account];
    const account = accountWith({ id: async () => of, roleArn: async (name) => `arn:aws:iam::${of}:role/${name}` });
    expect(await faultsOf(examples, account)).toEqual([
      expect.stringMatching(/^missing {2}Settings that are no examples: environment\.account: 111122223333, domains\./),
    ]);
  });

  test('refuses the credentials of another account, and settings that name none', async () => {
    const elsewhere = accountWith({ id: async () => '999999999999' });
    expect(await faultsOf(prod, elsewhere)).toEqual([
      `missing  The account of the settings: the credentials are of 999999999999, the settings name ${ACCOUNT}; 999999999999`,
    ]);
    expect(await faultsOf({}, accountWith())).toEqual([
      expect.stringMatching(/name account and region as environment in infra\/settings/),
    ]);
  });

  test('checks the stage that is then deployed: the last one that the CDK is given, which ignores --stage', () => {
    expect(stageFromOptions({})).toBe('staging');
    expect(stageFromOptions({ stage: 'prod' })).toBe('prod');
    expect(stageFromOptions({ deploy: true, context: ['commit=1', '=stage=staging', 'stage=prod'] })).toBe('prod');
    expect(stageFromOptions({ deploy: true, stage: 'prod' })).toBeUndefined();
    expect(stageFromOptions({ context: 'stage=production' })).toBeUndefined();
  });

  test.each<[string, Partial<Account>, RegExp]>([
    ['an old bootstrapping', { bootstrapVersion: async () => 5 }, /bootstrap it again; version 5$/],
    [
      'a bootstrapping without a version',
      { bootstrapVersion: async () => Number.NaN },
      /bootstrap it again; version NaN$/,
    ],
    [
      'a certificate that waits',
      { certificate: async () => ({ ...certificate, status: 'PENDING_VALIDATION' }) },
      /has to be ISSUED; PENDING_VAL/,
    ],
    // API Gateway refuses a domain with client certificates and an imported certificate of the server.
    [
      'an imported certificate of the two domains that ask for client certificates',
      { certificate: async () => ({ ...certificate, type: 'IMPORTED' }) },
      /The certificate of (admin\.)?api\.acme\.com: a domain that asks .+; it is IMPORTED; ISSUED$/,
    ],
    [
      'a certificate of another host',
      { certificate: async () => ({ ...certificate, names: ['*.api.acme.com'] }) },
      /The certificate of api\.acme\.com: it is for \*\.api\.acme\.com; ISSUED$/,
    ],
    ['a topic that nobody reads', { topic: async () => ({ ...topic, confirmed: 0 }) }, /nobody has confirmed/],
    [
      'a topic that CloudWatch cannot publish to',
      { topic: async () => ({ ...topic, key: 'alias/aws/sns' }) },
      /use a key of your own$/,
    ],
    [
      'a topic of notices that a budget cannot publish to',
      { topic: async () => ({ ...topic, policy: '{}' }) },
      /notice: its policy/,
    ],
    ['a quota that is low', { quotas: async (_, part) => new Map([[part, 10]]) }, /: ask for \d+ of /],
    ['a quota that is not found', { quotas: async () => new Map() }, /: no quota of \w+ has /],
    [
      'a trust store in another version',
      { trustStore: () => Promise.reject(new Error('NotFound')) },
      /The trust store: not known: NotFound$/,
    ],
    [
      'a subnet of the canary that has no NAT gateway',
      { defaultRoute: async () => 'igw-1' },
      /The canary's subnet subnet-\d+: its route to 0\.0\.0\.0\/0 has to be a NAT gateway; it is igw-1$/,
    ],
    ['a subnet without a way out', { defaultRoute: async () => undefined }, /NAT gateway; it is not there$/],
    [
      'a subnet of another account',
      { defaultRoute: () => Promise.reject(new Error('InvalidSubnetID.NotFound')) },
      /The canary's subnet subnet-\d+: not known: InvalidSubnetID\.NotFound$/,
    ],
    [
      'a security group of the canary that is of no use',
      { securityGroupFault: async () => 'no rule of it lets TCP 443 out' },
      /The canary's security group sg-\d+: no rule of it lets TCP 443 out$/,
    ],
    // The role's ARN has a path, which the settings leave out.
    [
      'a publisher that is another role',
      { roleArn: async (name) => `arn:aws:iam::${ACCOUNT}:role/services/${name}` },
      /The publisher arn:aws:iam::\d+:role\/acme-\w+: there is no such role: .+role\/services\/acme-\w+$/,
    ],
    [
      'a publisher that is not there',
      { roleArn: () => Promise.reject(new Error('NoSuchEntity')) },
      /The publisher .+NoSuch/,
    ],
    ['an account without a trail', { trails: async () => [] }, /A trail of CloudTrail logs: there is no alert/],
  ])('names %s', async (_, differences, expected) => {
    const faults = await faultsOf(prod, accountWith(differences));
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(expected);
  });

  test('checks no publisher of another account, and no trail where the settings name no topics', async () => {
    const publishers = { 'partner.one': ['arn:aws:iam::999999999999:role/partner'] };
    const { alarmTopics: _, ...others } = prod;
    const differences = { roleArn: () => Promise.reject(new Error('AccessDenied')), trails: async () => [] };
    expect(await faultsOf({ ...others, publishers }, accountWith(differences))).toEqual([]);
  });

  test('leaves the functions that reserve nothing their hundred calls at once', async () => {
    const account = accountWith({ quotas: async () => new Map([['Concurrent executions', 1000]]) });
    const settings = { ...prod, reservedConcurrency: { checkDeposit: 901 } };
    expect(await faultsOf(settings, account)).toEqual([
      'missing  Concurrent calls of Lambda: ask for 1001 of Concurrent executions; Concurrent executions 1000',
    ]);
  });

  test('asks for the longer policy that an allowlist of many clients makes, as AWS refuses it in the middle of a deployment', async () => {
    const account = accountWith({ quotas: async (_, part) => new Map([[part, 8192]]) });
    const ipAllowlist = Array.from({ length: 500 }, (_, at) => `10.0.1.${at % 256}/32`);
    expect(await faultsOf({ ...prod, ipAllowlist: ipAllowlist.slice(0, 300) }, account)).toEqual([]);
    expect(await faultsOf({ ...prod, ipAllowlist }, account)).toEqual([
      expect.stringMatching(/^missing {2}The policy of an API: ask for [89]\d{3} of resource policy size;/),
    ]);
  });
});
