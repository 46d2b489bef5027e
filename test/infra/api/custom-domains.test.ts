import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { allowOnlyFrom } from '#infra/api/custom-domains.ts';
import { longestPolicy } from '#infra/cli/preflight-checks.ts';
import { operatorsPolicy } from '#infra/operators/operators-policy.ts';
import { checkSettings, readSettings, remainingExamples, settingsFile } from '#infra/stage/read-settings.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { synthesise } from '#test/support/synthesised.ts';

const domainName = z.object({
  DomainName: z.string(),
  SecurityPolicy: z.string(),
  MutualTlsAuthentication: z.optional(z.object({ TruststoreUri: z.string(), TruststoreVersion: z.string() })),
});
const restApi = z.object({
  Name: z.string(),
  DisableExecuteApiEndpoint: z.optional(z.boolean()),
  Policy: z.optional(
    z.object({
      Statement: z.array(z.object({ Effect: z.string(), Condition: z.optional(z.unknown()) })),
    }),
  ),
});
const mapping = z.object({ DomainName: z.unknown(), RestApiId: z.unknown() });

const apiOf = (stage: 'staging' | 'prod' | 'local', name: string) =>
  synthesise(stage)
    .ofType('AWS::ApiGateway::RestApi', restApi)
    .find(({ properties }) => properties.Name.endsWith(name))?.properties;

describe('interface 5.5: the custom domains of production', () => {
  const domains = synthesise('prod')
    .ofType('AWS::ApiGateway::DomainName', domainName)
    .toSorted((one, other) => one.properties.DomainName.localeCompare(other.properties.DomainName));

  test('both host families of the clients require mutual TLS; the providers’ host has none', () => {
    expect(
      domains.map(({ properties }) => [properties.DomainName, properties.MutualTlsAuthentication?.TruststoreUri]),
    ).toEqual([
      ['admin.api.example.com', 's3://example-trust-store/clients.pem'],
      ['api.example.com', 's3://example-trust-store/clients.pem'],
      ['providers.api.example.com', undefined],
    ]);
    for (const { properties } of domains) expect(properties.SecurityPolicy).toBe('TLS_1_2');
  });

  test('the trust store is read again when another version of it is named', () => {
    const versions = domains.map(({ properties }) => properties.MutualTlsAuthentication?.TruststoreVersion);
    expect(versions).toEqual(['example-object-version', 'example-object-version', undefined]);
  });

  test('both host families reach the same API, the providers’ host another', () => {
    const template = synthesise('prod');
    const reached = template
      .ofType('AWS::ApiGateway::BasePathMapping', mapping)
      .map(({ properties }) => [template.text(properties.DomainName), template.text(properties.RestApiId)]);
    expect(Object.fromEntries(reached)).toEqual({
      '<Clients/CustomDomains/admin.api.example.com>': '<Clients/Api>',
      '<Clients/CustomDomains/api.example.com>': '<Clients/Api>',
      '<Providers/CustomDomains/providers.api.example.com>': '<Providers/Api>',
    });
  });

  // API Gateway takes one creation or change of a domain per 30 seconds; CloudFormation would begin all at once.
  test('the domains are made and changed one after the other', () => {
    const paths = domains.map(({ path }) => path);
    const after = domains.map(({ dependsOn }) => dependsOn.filter((path) => paths.includes(path)));
    expect(after.flat()).toHaveLength(domains.length - 1);
    expect(new Set(after.flat()).size).toBe(domains.length - 1);
  });

  test('no API answers under its default endpoint, which would bypass the custom domains', () => {
    expect(apiOf('prod', 'clients')?.DisableExecuteApiEndpoint).toBe(true);
    expect(apiOf('prod', 'providers')?.DisableExecuteApiEndpoint).toBe(true);
  });

  test('only listed addresses reach the clients’ API; providers are guarded by their signatures', () => {
    expect(apiOf('prod', 'clients')?.Policy?.Statement).toMatchObject([
      { Effect: 'Allow' },
      { Effect: 'Deny', Condition: { NotIpAddress: { 'aws:SourceIp': ['192.0.2.0/24', '198.51.100.7/32'] } } },
    ]);
    expect(apiOf('prod', 'providers')?.Policy).toBeUndefined();
  });
});

/** Characters that API Gateway puts into a resource: region, account and API. */
const REST_OF_ARN = 'arn:aws:execute-api:ap-southeast-1:111122223333:abcdefghij/*'.length;

test('preflight counts no fewer characters than a policy has, however many addresses the settings name', () => {
  const some = readSettings('prod');
  const blocks = Array.from({ length: 300 }, (_, at) => `192.0.2.${at % 256}/32`);
  for (const settings of [some, { ...some, ipAllowlist: blocks }, { ...some, operatorAddresses: blocks }]) {
    const policies = [allowOnlyFrom(settings.ipAllowlist ?? []), operatorsPolicy({ ...stageNamed('prod'), settings })];
    for (const policy of policies)
      expect(JSON.stringify(policy).length + 2 * REST_OF_ARN).toBeLessThanOrEqual(longestPolicy(settings));
  }
});

test('staging is deployed to any account, without domains, under the address of its API', () => {
  expect(synthesise('staging').ofType('AWS::ApiGateway::DomainName', domainName)).toEqual([]);
  expect(apiOf('staging', 'clients')).toMatchObject({ DisableExecuteApiEndpoint: false });
  expect(apiOf('staging', 'clients')?.Policy).toBeUndefined();
});

test('the local stage has no domains', () => {
  expect(synthesise('local').ofType('AWS::ApiGateway::DomainName', domainName)).toEqual([]);
});

describe('checkSettings names what is missing or wrong in one sentence', () => {
  const complete = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(new URL('../../../infra/settings/examples/prod.json', import.meta.url), 'utf8')));
  const check = (settings: unknown) => () =>
    checkSettings('infra/settings/prod.json', JSON.stringify(settings), 'prod');

  test('nothing is wrong with the example', () => {
    expect(check(complete)).not.toThrow();
  });

  test.each([
    ['environment', /^infra\/settings\/prod\.json: production needs its AWS account and region: .*\.$/],
    ['alarmTopics', /^infra\/settings\/prod\.json: production needs topics for its alarms: .*\.$/],
    ['monthlyBudget', /^infra\/settings\/prod\.json: production needs to say what a month may cost, .*\.$/],
    ['breakGlassRole', /^infra\/settings\/prod\.json: production needs a role for emergencies, .*\.$/],
    ['operatorRoles', /^infra\/settings\/prod\.json: production needs the roles of its operators, .*\.$/],
    ['domains', /^infra\/settings\/prod\.json: production needs its custom domains: .*\.$/],
    ['mutualTls', /^infra\/settings\/prod\.json: production requires mutual TLS: .*\.$/],
    ['ipAllowlist', /^infra\/settings\/prod\.json: production requires an IP allowlist: .*\.$/],
    ['keepRecordsYears', /^infra\/settings\/prod\.json: production needs to say how many years .*\.$/],
    ['publishers', /^infra\/settings\/prod\.json: production needs the roles of compliance and of payouts: .*\.$/],
  ])('%s', (name, sentence) => {
    const { [name]: _, ...rest } = complete;
    expect(check(rest)).toThrow(sentence);
  });

  test.each(['payments.compliance', 'payments.payouts'])('only one publisher: %s', (source) => {
    const publishers = { [source]: ['arn:aws:iam::111122223333:role/one'] };
    expect(check({ ...complete, publishers })).toThrow(
      'name them as publishers.payments.compliance and publishers.payments.payouts.',
    );
  });

  test.each<[string, unknown]>([
    ['an empty allowlist', { ...complete, ipAllowlist: [] }],
    ['no providers', { ...complete, providerSources: [] }],
    ...[
      'here',
      '10.0.0.300/32',
      '10.0.0.0/33',
      '2001:db8::/129',
      '0.0.0.0/0',
      '203.0.113.7/24',
      '2001:db8::7/48',
    ].flatMap((block) => [
      [`an allowlist with ${block}`, { ...complete, ipAllowlist: [block] }] satisfies [string, unknown],
      [`providers at ${block}`, { ...complete, providerSources: [block] }] satisfies [string, unknown],
    ]),
    ['a trust store elsewhere', { ...complete, mutualTls: { trustStore: 'https://example.com/ca.pem', version: '1' } }],
    ['a trust store without its version', { ...complete, mutualTls: { trustStore: 's3://bucket/clients.pem' } }],
    ['an account without its region', { ...complete, environment: { account: '111122223333' } }],
    ['a topic that is none', { ...complete, alarmTopics: { call: 'on-call', notice: 'arn:aws:sns:us-east-1:1:n' } }],
    ['one topic of two', { ...complete, alarmTopics: { call: 'arn:aws:sns:us-east-1:111122223333:on-call' } }],
    [
      'somebody who speaks as this service',
      { ...complete, publishers: { 'payments.ramp': ['arn:aws:iam::111122223333:role/one'] } },
    ],
    ['a limit of one person that is no amount', { ...complete, twoPersonsAbove: { COP: '1e6' } }],
    ['a publisher that is no role', { ...complete, publishers: { 'partner.one': ['arn:aws:iam::111122223333:root'] } }],
    ['a pattern of roles for emergencies', { ...complete, breakGlassRole: 'arn:aws:iam::111122223333:role/*' }],
    ['a pattern of operators', { ...complete, operatorRoles: ['arn:aws:iam::111122223333:role/finance?'] }],
    ['a pattern of publishers', { ...complete, publishers: { 'partner.one': ['arn:aws:iam::111122223333:role/p*'] } }],
    ['a tag with a comma', { ...complete, tags: { team: 'payments, cards' } }],
    ['a tag of AWS', { ...complete, tags: { 'aws:team': 'cards' } }],
    ['a source of nobody', { ...complete, publishers: { 'partner.one': [] } }],
    [
      'one domain of three',
      { ...complete, domains: { admin: { name: 'a.example.com', certificateArn: 'arn:aws:acm:x' } } },
    ],
  ])('%s', (_, settings) => {
    expect(check(settings)).toThrow(/^infra\/settings\/prod\.json: .* is missing or not in its format, .*\.$/);
  });

  test.each([
    [
      'a certificate of another account',
      '222233334444',
      'us-east-1',
      /^.*: domains\.admin\.certificateArn must be of account 222233334444 in us-east-1, as the API is\.$/,
    ],
    [
      'a certificate of another region',
      '111122223333',
      'sa-east-1',
      /^.*: domains\.admin\.certificateArn must be of account 111122223333 in sa-east-1, as the API is\.$/,
    ],
  ])('%s', (_, account, region, sentence) => {
    expect(check({ ...complete, environment: { account, region } })).toThrow(sentence);
  });

  test('a notice topic of another account, to which a budget cannot publish', () => {
    const notice = 'arn:aws:sns:us-east-1:222233334444:notices';
    const alarmTopics = { call: 'arn:aws:sns:us-east-1:222233334444:on-call', notice };
    expect(check({ ...complete, alarmTopics })).toThrow(/: alarmTopics\.notice must be of account 111122223333: .*\.$/);
  });

  test('a role of operators of another account', () => {
    const operatorRoles = ['arn:aws:iam::111122223333:role/finance', 'arn:aws:iam::222233334444:role/finance'];
    const sentence = /: operatorRoles must be of account 111122223333: nobody else may be allowed to call\.$/;
    expect(check({ ...complete, operatorRoles })).toThrow(sentence);
  });

  const host = { name: 'a.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1' };
  test.each<[string, object, RegExp]>([
    [
      'one host for two',
      { domains: { admin: host, api: host, providers: host } },
      /: domains\.admin, .* three names: .*\.$/,
    ],
    [
      'an operator for emergencies',
      { operatorRoles: [complete['breakGlassRole']] },
      /: breakGlassRole is one of operatorRoles .*\.$/,
    ],
    ['one secret for two keys', { secrets: { READER: 'one', SENDER: 'one' } }, /: secrets names one twice: .*\.$/],
  ])('%s', (_, wrong, sentence) => {
    expect(check({ ...complete, ...wrong })).toThrow(sentence);
  });

  test('a name that no setting has', () => {
    expect(check({ ...complete, mutualTLS: {} })).toThrow(
      'infra/settings/prod.json: mutualTLS is not a known setting.',
    );
    const mutualTls = { trustStore: 's3://bucket/clients.pem', version: '1', versoin: '2' };
    expect(check({ ...complete, mutualTls })).toThrow(
      'infra/settings/prod.json: mutualTls.versoin is not a known setting.',
    );
  });
});

test('a company’s own settings are read in place of the examples, but by no test', () => {
  const read = () => [settingsFile('prod', () => true), settingsFile('prod', () => false)];
  const example = 'infra/settings/examples/prod.json';
  expect(read()).toEqual([example, example]);
  vi.stubEnv('EXAMPLE_SETTINGS', undefined);
  expect(read()).toEqual(['infra/settings/prod.json', example]);
  vi.unstubAllEnvs();
});

describe('settings that are still the examples of the repository', () => {
  test('are found by the names and addresses that are reserved for examples', () => {
    const prod = checkSettings(
      '',
      readFileSync(new URL('../../../infra/settings/examples/prod.json', import.meta.url), 'utf8'),
      'prod',
    );
    const found = remainingExamples(prod).map((line) => line.slice(0, line.indexOf(':')));
    expect(found).toEqual([
      'environment.account',
      ...['admin', 'api', 'providers'].flatMap((host) => [`domains.${host}.name`, `domains.${host}.certificateArn`]),
      'mutualTls.trustStore',
      'mutualTls.version',
      'docsUrl',
      'ipAllowlist.0',
      'ipAllowlist.1',
      'canary.subnets.0',
      'canary.securityGroup',
      'providerSources.0',
      'providerSources.1',
      'alarmTopics.call',
      'alarmTopics.notice',
      'publishers.payments.compliance.0',
      'publishers.payments.payouts.0',
      'breakGlassRole',
      'operatorRoles.0',
      'operatorRoles.1',
    ]);
  });
});
