import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { grantsOf, type Synthesised, synthesise } from '#test/support/synthesised.ts';

const statement = z.object({
  Sid: z.optional(z.string()),
  Effect: z.string(),
  Action: z.union([z.string(), z.array(z.string())]),
  Principal: z.unknown(),
  Condition: z.optional(z.object({ ArnNotEquals: z.object({ 'aws:PrincipalArn': z.array(z.unknown()) }) })),
});

const policy = z.object({ Statement: z.array(statement) });

const replica = z.object({ ResourcePolicy: z.optional(z.object({ PolicyDocument: policy })) });

/** The actions that a policy denies, each with the roles that are excepted. */
function denialsOf(service: Synthesised, { Statement }: z.infer<typeof policy>) {
  return Statement.filter(({ Effect }) => Effect === 'Deny').flatMap(({ Action, Principal, Condition }) => {
    expect(Principal).toEqual({ AWS: '*' });
    const excepted = Condition?.ArnNotEquals['aws:PrincipalArn'].map((arn) => service.text(arn)) ?? [];
    return [Action].flat().map((action) => ({ action, excepted }));
  });
}

function policiesOf(service: Synthesised): ReadonlyMap<string, z.infer<typeof policy>> {
  const tables = service
    .ofType('AWS::DynamoDB::GlobalTable', z.object({ Replicas: z.array(replica) }))
    .flatMap(({ path, properties }) =>
      properties.Replicas.flatMap(({ ResourcePolicy }) =>
        ResourcePolicy ? [[path, ResourcePolicy.PolicyDocument] as const] : [],
      ),
    );
  const keys = service
    .ofType('AWS::KMS::Key', z.object({ KeyPolicy: policy }))
    .map(({ path, properties }) => [path, properties.KeyPolicy] as const);
  return new Map([...tables, ...keys]);
}

/** Limits of a policy in bytes: of a table, of a key. */
const LARGEST = { 'Tables/audit': 20_480, AccessTokenKey: 32_768 } as const;

test('the local stage has no policy that denies, because its AWS would ignore it', () => {
  const policies = policiesOf(synthesise('local'));
  expect(
    [...policies.values()].flatMap(({ Statement }) => Statement).filter(({ Effect }) => Effect === 'Deny'),
  ).toEqual([]);
});

describe.each(['staging', 'prod'] as const)('decisions 11, audit: a policy of the data of %s', (stageName) => {
  const service = synthesise(stageName);
  const policies = policiesOf(service);
  const inAccount = 'arn:<AWS::Partition>:iam::<AWS::AccountId>';
  const always = [`${inAccount}:root`, ...(stageName === 'prod' ? [`${inAccount}:role/example-break-glass`] : [])];
  /** Names of the roles that have a fixed name, by path. */
  const names = new Map(
    service
      .ofType('AWS::IAM::Role', z.object({ RoleName: z.optional(z.unknown()) }))
      .flatMap(({ path, properties: { RoleName } }) => (RoleName ? [[path, service.text(RoleName)] as const] : [])),
  );
  const allowed = (action: string, resource: string) =>
    grantsOf(service)
      .filter((grant) => grant.action === action && grant.resource === resource)
      .map(({ role }) => `${inAccount}:role/${names.get(role)}`);

  const puttingActions = ['dynamodb:PutItem', 'dynamodb:PartiQLInsert'];
  const changing = ['UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLUpdate', 'PartiQLDelete'];

  test('lets only the commands write into the audit, and nobody change it', () => {
    const audit = policies.get('Tables/audit');
    const commands = allowed('dynamodb:PutItem', '<Tables/audit.Arn>');
    expect(commands.length).toBeGreaterThan(3);
    const denials = denialsOf(service, policy.parse(audit));
    const excepted = (action: string) => denials.find((one) => one.action === action)?.excepted.toSorted();
    for (const action of puttingActions) expect(excepted(action)).toEqual([...commands, ...always].sort());
    for (const action of changing) expect(excepted(`dynamodb:${action}`)).toEqual([...always].sort());
    expect(denials.map(({ action }) => action).sort()).toEqual(
      [...puttingActions, ...changing.map((action) => `dynamodb:${action}`)].sort(),
    );
  });

  test('lets only issue-token sign access tokens, and denies nothing else of the key', () => {
    const issuing = allowed('kms:Sign', '<AccessTokenKey.Arn>');
    expect(issuing).toEqual([`${inAccount}:role/payin-offramp-${stageName}-<AWS::Region>-issue-token`]);
    expect(denialsOf(service, policy.parse(policies.get('AccessTokenKey')))).toEqual([
      { action: 'kms:Sign', excepted: [...issuing, ...always] },
    ]);
  });

  test('denies on no other table or key', () => {
    const denying = [...policies].filter(([, { Statement }]) => Statement.some(({ Effect }) => Effect === 'Deny'));
    expect(denying.map(([path]) => path).sort()).toEqual(Object.keys(LARGEST).sort());
  });

  test.each(Object.entries(LARGEST))('of %s stays within %d bytes', (path, largest) => {
    expect(service.text(policies.get(path)).length).toBeLessThan(largest / 2);
  });

  test('names only roles that exist, and no name is too long for IAM in any region', () => {
    const named = [...policies.values()].flatMap((one) => denialsOf(service, one)).flatMap(({ excepted }) => excepted);
    const own = named.filter((arn) => !always.includes(arn)).map((arn) => arn.replace(`${inAccount}:role/`, ''));
    expect(new Set(own)).toEqual(new Set(names.values()));
    const longest = [...names.values()].map((name) => name.replace('<AWS::Region>', 'ap-southeast-1').length);
    expect(Math.max(...longest)).toBeLessThanOrEqual(64);
  });
});
