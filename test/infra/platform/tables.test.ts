import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const indexProperties = z.object({
  IndexName: z.string(),
  Projection: z.object({ ProjectionType: z.string(), NonKeyAttributes: z.optional(z.array(z.string())) }),
});

const tableProperties = z.object({
  BillingMode: z.string(),
  SSESpecification: z.object({ SSEEnabled: z.boolean(), SSEType: z.string() }),
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
  GlobalSecondaryIndexes: z._default(z.array(indexProperties), []),
  Replicas: z.array(
    z.object({
      Region: z.unknown(),
      DeletionProtectionEnabled: z.boolean(),
      PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }),
    }),
  ),
});

describe.each(stageNames)('the tables of %s', (stageName) => {
  const service = synthesise(stageName);
  const tables = service.ofType('AWS::DynamoDB::GlobalTable', tableProperties);
  const replicas = tables.flatMap(({ properties }) => properties.Replicas);
  const keepsData = stageName !== 'local';

  test('are all global tables, the only type that these tests check', () => {
    expect(tables).not.toEqual([]);
    expect(service.resources.filter(({ type }) => type === 'AWS::DynamoDB::Table')).toEqual([]);
  });

  test('can be restored to any second of the last days', () => {
    expect(replicas.filter((replica) => !replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled)).toEqual(
      [],
    );
  });

  test('are encrypted with a key of KMS', () => {
    const encryptions = tables.map(({ properties }) => properties.SSESpecification);
    expect(encryptions).toEqual(tables.map(() => ({ SSEEnabled: true, SSEType: 'KMS' })));
  });

  test('are in the one region of the stack and paid for by the request', () => {
    const region = stageName === 'prod' ? 'us-east-1' : '<AWS::Region>';
    expect(replicas.map(({ Region }) => service.text(Region))).toEqual(tables.map(() => region));
    expect(new Set(tables.map(({ properties }) => properties.BillingMode))).toEqual(new Set(['PAY_PER_REQUEST']));
  });

  test(keepsData ? 'cannot be deleted' : 'can be deleted', () => {
    expect(replicas.map((replica) => replica.DeletionProtectionEnabled)).toEqual(tables.map(() => keepsData));
  });

  // A key can be deleted after a failed first deployment, so none is left to be paid for; a protected table cannot.
  test.each([
    ['AWS::DynamoDB::GlobalTable', 'Retain'],
    ['AWS::KMS::Key', 'RetainExceptOnCreate'],
    ['AWS::Events::EventBus', 'RetainExceptOnCreate'],
  ])(
    keepsData ? 'survive the stack, as keys and the bus do: %s' : 'go with the stack, as keys and the bus do: %s',
    (type, policy) => {
      const kept = service.resources.filter((one) => one.type === type);
      const policies = kept.map(({ deletionPolicy, updateReplacePolicy }) => [deletionPolicy, updateReplacePolicy]);
      expect(kept).not.toEqual([]);
      expect(policies).toEqual(kept.map(() => (keepsData ? [policy, 'Retain'] : ['Delete', 'Delete'])));
    },
  );

  test('expire the items of exactly these tables, at expiresAt', () => {
    const forgetting = tables.filter(({ properties }) => properties.TimeToLiveSpecification !== undefined);
    const settings = new Set(forgetting.map(({ properties }) => JSON.stringify(properties.TimeToLiveSpecification)));
    expect(forgetting.map(({ path }) => path).sort()).toEqual([
      'Tables/addressPool',
      'Tables/allowances',
      'Tables/deliveries',
      'Tables/deposits',
      'Tables/events',
      'Tables/idempotency',
      'Tables/proposals',
      'Tables/providerLimits',
      'Tables/slots',
      'Tables/users',
      'Tables/wallets',
      'Tables/webhookHealth',
    ]);
    expect([...settings]).toEqual([JSON.stringify({ AttributeName: 'expiresAt', Enabled: true })]);
  });

  test('have keys-only indexes, except those that sweeps, lists, the feed and the measurement of waiting work read without the table', () => {
    const others = tables.flatMap(({ properties }) =>
      properties.GlobalSecondaryIndexes.filter(({ Projection }) => Projection.ProjectionType !== 'KEYS_ONLY'),
    );
    const including = (IndexName: string, ...NonKeyAttributes: string[]) => ({
      IndexName,
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
    });
    expect(others).toEqual([
      including('byReference', 'createdAt'),
      including('owed', 'settled', 'unmatched'),
      including('due', 'nextPollAt'),
      including('byReference', 'createdAt'),
      including('byClient', 'body'),
      including('due', 'webhookId', 'nextAttemptAt'),
      including('due', 'clientId'),
    ]);
  });
});
