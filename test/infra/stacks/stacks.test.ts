import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createStacks } from '#infra/stacks/create-stacks.ts';
import { checkSettings } from '#infra/stage/read-settings.ts';
import { stageNamed, withSettings } from '#infra/stage/stages.ts';
import { simulatedCustodian } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import {
  appOf,
  bundles,
  emptyApp,
  type StageName,
  serviceApp,
  stageNames,
  synthesise,
  synthesiseStage,
} from '#test/support/synthesised.ts';

/**
 * Logical ids of the data's stack. With another id a deployment makes another resource: an empty table, a key that
 * cannot decrypt earlier data, a bus without rules.
 */
const kept = {
  'Tables/operations': 'Tablesoperations4C7C29F5',
  'Tables/hashes': 'Tableshashes2AA1F9CD',
  'Tables/deposits': 'TablesdepositsC04BB337',
  'Tables/payins': 'Tablespayins685A9D4E',
  'Tables/books': 'TablesbooksB8472876',
  'Tables/events': 'Tablesevents5B2337FE',
  'Tables/deliveries': 'Tablesdeliveries941B6391',
  'Tables/webhookHealth': 'TableswebhookHealth42135A2F',
  'Tables/slots': 'TablesslotsF2913FCE',
  'Tables/addressPool': 'TablesaddressPool72D01DAA',
  'Tables/allowances': 'Tablesallowances71CEC740',
  'Tables/providerLimits': 'TablesproviderLimitsDDF89016',
  'Tables/clients': 'TablesclientsA46F2166',
  'Tables/users': 'Tablesusers5E6EC114',
  'Tables/wallets': 'Tableswallets4346DCD5',
  'Tables/parameters': 'Tablesparameters1B127E0F',
  'Tables/webhooks': 'Tableswebhooks91698196',
  'Tables/audit': 'Tablesaudit3BC6CFAF',
  'Tables/proposals': 'TablesproposalsC5D070AD',
  'Tables/idempotency': 'TablesidempotencyA02207AE',
  'Tables/simulatedTransactions': 'TablessimulatedTransactions87F633C8',
  'Tables/simulatedPayments': 'TablessimulatedPayments5D902894',
  AccessTokenKey: 'AccessTokenKey406D34DC',
  WebhookSecretsKey: 'WebhookSecretsKey5C1E05FC',
  SimulatedCustodianKey: 'SimulatedCustodianKey2D490383',
  SimulatedRailKey: 'SimulatedRailKeyD26F2560',
  EventBus: 'EventBus7B8748AA',
};

const kinds = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Events::EventBus'];

describe.each(stageNames)('the stack of the data of %s', (stageName) => {
  const { resources } = synthesise(stageName);
  const data = resources.filter(({ stack }) => stack === 'data');

  test('has exactly these tables, keys and this bus, whose ids do not change', () => {
    const found = data.filter(({ type }) => kinds.includes(type)).map(({ id, path }) => [path, id]);
    expect(Object.fromEntries(found)).toEqual(kept);
  });

  test('has otherwise only the aliases of its keys', () => {
    const others = data.filter(({ type }) => !kinds.includes(type));
    expect(new Set(others.map(({ type }) => type))).toEqual(new Set(['AWS::KMS::Alias']));
  });

  test('has all resources of these types: the service stack has none', () => {
    const service = resources.filter(({ stack }) => stack === 'service').map(({ type }) => type);
    expect(service.filter((type) => kinds.includes(type))).toEqual([]);
    expect(service).not.toEqual([]);
  });

  test(stageName === 'local' ? 'can be deleted' : 'is protected against its deletion, as the service is not', () => {
    const { data: ofData, service } = serviceApp(stageName);
    expect([ofData.terminationProtection, service.terminationProtection]).toEqual([stageName !== 'local', false]);
  });
});

test('only the stack of the data says which commit runs: it is the first of a release, and stays', () => {
  const { data, service, operators } = appOf(stageNamed('staging'), false, { commit: 'abc' });
  const said = [data, service, operators].map((stack) => Template.fromStack(stack).findOutputs('Commit'));
  expect(said).toEqual([{ Commit: { Value: 'abc' } }, {}, {}]);
});

/** The templates of the data, the service and the operators as a deployment reads them, without white space. */
function writtenOf(stageName: StageName): readonly string[] {
  const { outdir } = synthesise(stageName);
  return ['data', 'service', 'operators'].map((name) =>
    JSON.stringify(JSON.parse(readFileSync(`${outdir}/payin-offramp-${stageName}-${name}.template.json`, 'utf8'))),
  );
}

// An export that is in use cannot change, and would stop the deployment of the stack that exports it.
test.each(stageNames)(
  'the service of %s reads the values of the data’s stack as they are when it is deployed',
  (stageName) => {
    const [exporting, importing] = writtenOf(stageName);
    expect(exporting).not.toContain('"Export"');
    expect(importing).not.toContain('Fn::ImportValue');
    expect(importing).toContain('Fn::GetStackOutput');
  },
);

/** CloudFormation has no StreamArn of a table without a stream: the whole stack would fail. */
test.each(stageNames)('nothing of %s refers to the stream of a table that has none', (stageName) => {
  const tables = synthesise(stageName).ofType('AWS::DynamoDB::GlobalTable', z.looseObject({}));
  const withStream = tables.filter(({ properties }) => 'StreamSpecification' in properties).map(({ id }) => id);
  const ofStreams = writtenOf(stageName)
    .join()
    .matchAll(/"Fn::GetAtt":\["(\w+)","StreamArn"\]/g);
  const referred = new Set([...ofStreams].map(([, table]) => table));
  expect([...referred]).toEqual(withStream);
});

// The higher limit for local covers routes, which the local AWS takes as resources of their own.
test.each(stageNames)('the service of %s is far from the 500 resources of a stack', (stageName) => {
  const count = synthesise(stageName).resources.filter(({ stack }) => stack === 'service').length;
  // Production moves ten functions in steps.
  expect(count).toBeLessThan({ local: 475, staging: 450, prod: 450 }[stageName]);
});

test.each(stageNames)(
  '%s never has two metric filters created at once, of which AWS takes few a second',
  (stageName) => {
    const all = synthesise(stageName).resources.filter(({ type }) => type === 'AWS::Logs::MetricFilter');
    for (const name of ['service', 'operators'] as const) {
      const filters = all.filter(({ stack }) => stack === name).map(({ path, dependsOn }) => ({ path, dependsOn }));
      const before = filters.map(({ dependsOn }) => dependsOn.find((one) => filters.some(({ path }) => path === one)));
      expect(filters.length).toBeGreaterThan(5);
      // Each waits for another one, but for the first.
      expect(new Set(before).size).toBe(filters.length);
    }
  },
);

/** Resources that a stack can have, and those that one more route or sweep adds to the service's stack. */
const [MOST_RESOURCES, OF_A_ROUTE, OF_A_SWEEP] = [500, 2, 10];

test('the service of production with every kind of real provider has room for two sweeps and three routes more', () => {
  const page = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');
  const { evm, secrets } = checkSettings('docs/providers.md', /```json\n([^`]*)```/.exec(page)?.[1] ?? '', 'staging');
  const stage = withRealProviders(['ETHEREUM', 'STELLAR', 'SOLANA'], 'prod');
  const settings = { ...stage.settings, evm, secrets: { ...stage.settings.secrets, ...secrets } };
  const { resources } = synthesiseStage(withSettings(stage, settings));
  const service = resources.filter(({ stack }) => stack === 'service');
  const of = (sweep: string) => service.filter(({ path }) => path.split('/').includes(sweep)).length;
  expect([of('get-client-info'), of('end-expired-operations')]).toEqual([OF_A_ROUTE, OF_A_SWEEP]);
  expect(MOST_RESOURCES - service.length).toBeGreaterThanOrEqual(2 * OF_A_SWEEP + 3 * OF_A_ROUTE);
});

/** Limit of IAM for all inline policies of a role together, in characters without white space. */
const MOST_OF_POLICIES = 10_240;

/** The longest ARN of our functions, tables, queues and keys: a function's name has up to 64 characters. */
const LONGEST_ARN = 'x'.repeat('arn:aws:lambda:ap-southeast-1:111122223333:function::live'.length + 64);

const inlinePolicies = z.object({ Policies: z._default(z.array(z.object({ PolicyDocument: z.unknown() })), []) });

/** Length of a role's policies once deployed. The policy that grows names one function for each route of an API. */
function policyLength(policies: readonly unknown[], text: (value: unknown) => string): number {
  const asDeployed = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every(isReference)
      ? text(value).replace(/<[^>]+>/g, LONGEST_ARN)
      : value;
  return policies.reduce<number>((sum, policy) => sum + JSON.stringify(policy, asDeployed).length, 0);
}

const isReference = (key: string) => key === 'Ref' || key.startsWith('Fn::');

describe.each(stageNames)('the inline policies of each role of %s', (stageName) => {
  const service = synthesise(stageName);
  const lengths = service.ofType('AWS::IAM::Role', inlinePolicies).map(({ path, properties: { Policies } }) => ({
    path,
    length: policyLength(
      Policies.map(({ PolicyDocument }) => PolicyDocument),
      service.text,
    ),
  }));

  test('are within the limit of IAM, although the invoker of an API names each function', () => {
    expect(lengths.filter(({ length }) => length > MOST_OF_POLICIES)).toEqual([]);
  });

  test('are measured with whole ARNs, as they will be deployed', () => {
    const invoker = lengths.find(({ path }) => path === 'Clients/Invoker');
    expect(invoker?.length).toBeGreaterThan(20 * LONGEST_ARN.length);
    const hundred = { Resource: Array.from({ length: 100 }, () => ({ 'Fn::GetAtt': ['function', 'Arn'] })) };
    expect(policyLength([hundred], service.text)).toBeGreaterThan(MOST_OF_POLICIES);
  });
});

const resources = z.record(
  z.string(),
  z.object({ Type: z.string(), Properties: z._default(z.record(z.string(), z.unknown()), {}) }),
);

/** Properties with a name that AWS refuses a second time in an account and region. */
const naming =
  /^(Name|StatementId|(EventBus|StateMachine|LogGroup|Alias|Function|Queue|Role|Table|Alarm|Rule|UsagePlan|Topic|Dashboard)Name)$/;

/**
 * The property that names a resource of these types; AWS has one of a name in an account and region. An API's stage has
 * one web ACL: deleting the old association would remove the new one.
 */
const nameOfType: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::DomainName': 'DomainName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
  'AWS::WAFv2::WebACL': 'Name',
  'AWS::WAFv2::WebACLAssociation': 'ResourceArn',
};

/**
 * CloudFormation makes a resource with a new id before it deletes the one with the old id: the name would still be
 * taken, or both would be gone in the end. A resource whose id changes needs a new name in the same release
 * (docs/deploying.md).
 */
test('a resource with a fixed name keeps its id', () => {
  const named = synthesise('prod').resources.filter(({ type, properties }) => (nameOfType[type] ?? '') in properties);
  expect(named.map(({ id }) => id).toSorted()).toEqual([
    'AccessTokenKeyAlias6B99BF24',
    'ClientsCustomDomainsadminapiexamplecomC3FC186D',
    'ClientsCustomDomainsapiexamplecomFB8C7538',
    'ClientsExecutionLogC5385407',
    'ClientsWebAcl0509343E',
    'ClientsWebAclAssociation18229CF0',
    'DashboardsMachine607DE7A4',
    'DashboardsMoneyB8BB0B40',
    'OperatorsExecutionLog3DBDFCAE',
    'ProvidersCustomDomainsprovidersapiexamplecom187590EA',
    'ProvidersExecutionLog493A424F',
    'ProvidersWebAcl34A80022',
    'ProvidersWebAclAssociationCC77988E',
    'SimulatedCustodianKeyAliasF42107F1',
    'SimulatedRailKeyAliasE97FC201',
    'VerificationDepositVerification288B0EE3',
    'VerificationExecutions7D1B5089',
    'WebhookSecretsKeyAlias8D6138F1',
    'eraseuserRoleB8FCF185',
    'issuetokenRole49C11B1D',
    'operatebooksRole7662FB0F',
    'operateclientsRoleAE9933D5',
    'operateofframpsRoleB485E5C4',
    'operateparametersRoleC7B37AE9',
    'operatepayinsRole88ACAE82',
    'operatewebhooksRoleD3B9C425',
    'redrivedeadlettersRole8B805DF2',
  ]);
});

test('the loader of parameters keeps its id: CloudFormation refuses an update by which a custom resource would call another function', () => {
  const loaded = synthesise('prod').ofType('Custom::ParameterLists', z.object({ ServiceToken: z.unknown() }));
  expect(loaded.map(({ id, properties }) => [id, properties.ServiceToken])).toEqual([
    ['ParametersLoaded084F28CB', { 'Fn::GetAtt': ['ParametersloadparametersFunctionEEFEC2D8', 'Arn'] }],
  ]);
});

test('decisions 4, deposit address: a custodian without an address for each operation is refused', () => {
  const stage = stageNamed('prod');
  const custodians = { SUI: { ...simulatedCustodian, hasAddressPerOperation: false } };
  expect(() => appOf({ ...stage, custodians })).toThrow(
    'The custodian simulated cannot promise each off-ramp a deposit address of its own.',
  );
});

test('two copies of a stage can exist in one account: they share no name', () => {
  const namesOf = (copy: string) => {
    const { app } = emptyApp();
    const { data, service, operators } = createStacks(app, stageNamed('staging'), bundles, copy);
    return (
      [data, service, operators]
        .flatMap((stack) => Object.values(resources.parse(Template.fromStack(stack).toJSON()['Resources'])))
        // An alias belongs to its function, so its name may repeat.
        .filter(({ Type }) => Type !== 'AWS::Lambda::Alias')
        .flatMap(({ Properties }) => Object.entries(Properties))
        .flatMap(([property, value]) => (naming.test(property) && typeof value === 'string' ? [value] : []))
    );
  };
  const [one, other] = [namesOf('payin-offramp-one'), namesOf('payin-offramp-other')];
  expect(one).toEqual(
    expect.arrayContaining([
      'payin-offramp-one-data',
      'payin-offramp-one-service-clients',
      'payin-offramp-one-service-deposit-verification',
      'alias/payin-offramp-one-data/AccessTokenKey',
    ]),
  );
  expect(one.filter((name) => other.includes(name))).toEqual([]);
});
