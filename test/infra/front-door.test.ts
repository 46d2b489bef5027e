import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkSettings } from '#infra/settings/read-settings.ts';
import { synthesise } from '../support/synthesised.ts';

const domainName = z.object({
  DomainName: z.string(),
  SecurityPolicy: z.string(),
  MutualTlsAuthentication: z.optional(z.object({ TruststoreUri: z.string() })),
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

describe('interface 5.5: the door of production', () => {
  const domains = synthesise('prod').ofType('AWS::ApiGateway::DomainName', domainName);

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

  test('both host families reach the same API, the providers’ host another', () => {
    const template = synthesise('prod');
    const apis = template
      .ofType('AWS::ApiGateway::BasePathMapping', mapping)
      .map(({ properties }) => template.text(properties.RestApiId));
    expect(apis).toHaveLength(3);
    expect(new Set(apis.slice(0, 2)).size).toBe(1);
    expect(apis[2]).not.toBe(apis[0]);
  });

  test('no API answers under its default endpoint, which would go round the door', () => {
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

test('decisions 1: staging has its own domains, without client certificates or allowlist', () => {
  const domains = synthesise('staging').ofType('AWS::ApiGateway::DomainName', domainName);
  expect(domains.map(({ properties }) => properties.DomainName)).toEqual([
    'admin.staging.example.com',
    'api.staging.example.com',
    'providers.staging.example.com',
  ]);
  for (const { properties } of domains) expect(properties.MutualTlsAuthentication).toBeUndefined();
  expect(apiOf('staging', 'clients')?.Policy).toBeUndefined();
});

test('the local stage has no domains', () => {
  expect(synthesise('local').ofType('AWS::ApiGateway::DomainName', domainName)).toEqual([]);
});

describe('what is missing is said in one sentence', () => {
  const complete = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(new URL('../../infra/settings/prod.json', import.meta.url), 'utf8')));
  const check = (settings: unknown) => () =>
    checkSettings('infra/settings/prod.json', JSON.stringify(settings), 'prod');

  test('nothing is missing from the example', () => {
    expect(check(complete)).not.toThrow();
  });

  test.each([
    ['domains', /^infra\/settings\/prod\.json: production needs its custom domains: .*\.$/],
    ['mutualTls', /^infra\/settings\/prod\.json: production requires mutual TLS: .*\.$/],
    ['ipAllowlist', /^infra\/settings\/prod\.json: production requires an IP allowlist: .*\.$/],
  ])('%s', (name, sentence) => {
    const { [name]: _, ...rest } = complete;
    expect(check(rest)).toThrow(sentence);
  });

  test.each([
    ['an empty allowlist', { ...complete, ipAllowlist: [] }],
    ['an address that is no block', { ...complete, ipAllowlist: ['here'] }],
    ['a trust store elsewhere', { ...complete, mutualTls: { trustStore: 'https://example.com/clients.pem' } }],
    [
      'one domain of three',
      { ...complete, domains: { admin: { name: 'a.example.com', certificateArn: 'arn:aws:acm:x' } } },
    ],
  ])('%s', (_, settings) => {
    expect(check(settings)).toThrow(/^infra\/settings\/prod\.json: .* is missing or not well-formed\.$/);
  });
});
