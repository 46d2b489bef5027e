import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { functionsOf, grantsOf, stageNames, synthesise } from '#test/support/synthesised.ts';

const KEY = '<WebhookSecretsKey.Arn>';

const keyProperties = z.object({
  EnableKeyRotation: z.optional(z.boolean()),
  KeySpec: z.optional(z.string()),
  KeyUsage: z.optional(z.string()),
});

describe.each(stageNames)('the secrets of webhooks in %s', (stageName) => {
  const service = synthesise(stageName);
  const grants = grantsOf(service);
  const rolesThatMay = (action: string) => grants.filter((grant) => grant.action === action).map(({ role }) => role);

  test('are encrypted by a symmetric key that KMS rotates', () => {
    const key = service.ofType('AWS::KMS::Key', keyProperties).find(({ path }) => path === 'WebhookSecretsKey');
    expect(key?.properties).toEqual({ EnableKeyRotation: true });
  });

  test('are encrypted only where they are made', () => {
    expect(rolesThatMay('kms:Encrypt').sort()).toEqual(['register-webhook/Role', 'rotate-webhook-secret/Role']);
    expect(grants.filter(({ action }) => action === 'kms:Encrypt').map(({ resource }) => resource)).toEqual([KEY, KEY]);
  });

  test('are decrypted only where something is signed', () => {
    // A rule's role may have the topic's own key used, by SNS alone: test/infra/operators/key-endings.test.ts.
    const others = grants.filter(({ role }) => role !== 'KeyEndings/EventsRole');
    const decrypting = others.filter(({ action }) => action === 'kms:Decrypt');
    expect(decrypting.map(({ role }) => role).sort()).toEqual(['Deliveries/deliver-webhook/Role', 'test-webhook/Role']);
    expect(decrypting.map(({ resource }) => resource)).toEqual([KEY, KEY]);
    const onKey = grants.filter(({ resource }) => resource === KEY).map(({ action }) => action);
    expect(new Set(onKey)).toEqual(new Set(['kms:Encrypt', 'kms:Decrypt']));
    expect(others.filter(({ action }) => /^kms:(ReEncrypt|GenerateDataKey|CreateGrant)/.test(action))).toEqual([]);
  });
});

describe.each(stageNames)('the webhooks of %s', (stageName) => {
  const service = synthesise(stageName);

  test('are deleted only by the route for it', () => {
    const onTable = grantsOf(service).filter(({ resource }) => resource.startsWith('<Tables/webhooks.Arn>'));
    const deleting = onTable.filter(({ action }) => action === 'dynamodb:DeleteItem');
    expect(deleting.map(({ role }) => role)).toEqual(['remove-webhook/Role']);
  });

  test(`may ${stageName === 'local' ? '' : 'not '}point to this machine`, () => {
    const told = functionsOf(service).flatMap(({ name, environment }) =>
      environment['WEBHOOKS_TO_THIS_MACHINE'] === undefined ? [] : [[name, environment['WEBHOOKS_TO_THIS_MACHINE']]],
    );
    expect(told).toEqual(
      expect.arrayContaining([
        ['register-webhook', String(stageName === 'local')],
        ['update-webhook', String(stageName === 'local')],
        ['test-webhook', String(stageName === 'local')],
        ['deliver-webhook', String(stageName === 'local')],
      ]),
    );
    expect(new Set(told.map(([, value]) => value))).toEqual(new Set([String(stageName === 'local')]));
  });
});
