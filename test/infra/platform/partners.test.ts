import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { RailDeployment } from '#infra/stage/deployments.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { appOf } from '#test/support/synthesised.ts';

/** A rail whose look-ups need an address and a secret. */
const needs = { environment: { ACME_URL: 'https://acme.example' }, secrets: ['ACME_KEY'] };
const acme: RailDeployment = { ...simulatedRail, members: { ...simulatedRail.members, find: needs } };

/** The service of a stage with these secrets, on which it collects by NEQUI alone. */
function serviceWith(
  secrets: Readonly<Record<string, string>>,
  rails: Readonly<Partial<Record<PaymentMethod, RailDeployment>>> = { NEQUI: acme },
) {
  const staging = stageNamed('staging');
  const stage = { ...staging, rails, settings: { ...staging.settings, secrets } };
  return Template.fromStack(appOf(stage).service).toJSON();
}

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.optional(
        z.looseObject({
          Description: z.optional(z.unknown()),
          Environment: z.optional(z.object({ Variables: z.record(z.string(), z.unknown()) })),
        }),
      ),
    }),
  ),
});

test('decisions 12, What a provider needs: only functions that call a provider’s member have the settings and the names of the secrets that it needs', () => {
  const { Resources } = template.parse(serviceWith({ ACME_KEY: 'payments/acme' }));
  const functions = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const given = functions.filter(({ Properties }) => 'ACME_KEY' in (Properties?.Environment?.Variables ?? {}));
  const asking = ['create-payin', 'receive-rail-notification', 'settle-open-payins'];
  const names = given.map(({ Properties }) => /pay-ins\/(\S+)\./.exec(String(Properties?.Description))?.[1]);
  expect(names.sort()).toEqual(asking);
  for (const { Properties } of given) {
    const railByMethod = JSON.stringify({ NEQUI: acme.name });
    const expected = { ACME_KEY: 'payments/acme', ACME_URL: 'https://acme.example', PAYMENT_RAILS: railByMethod };
    expect(Properties?.Environment?.Variables).toMatchObject(expected);
  }
  const policies = Object.entries(Resources).filter(([, one]) => JSON.stringify(one).includes('secretsmanager:'));
  const roles = asking.map((name) => policies.filter(([id]) => id.toLowerCase().includes(name.replaceAll('-', ''))));
  expect([policies.length, roles.map(({ length }) => length)]).toEqual([3, [1, 1, 1]]);
  for (const [, policy] of policies) {
    expect(JSON.stringify(policy)).toMatch(/:secret:payments\/acme-\?{6}"/);
  }
});

test('decisions 6: where the rail of PSE has a list of banks, the list is refreshed, and a deployment only seeds it', () => {
  const listing: RailDeployment = { ...simulatedRail, members: { ...simulatedRail.members, listBanks: needs } };
  const served = (rails: Readonly<Partial<Record<PaymentMethod, RailDeployment>>>) => {
    const text = JSON.stringify(serviceWith({ ACME_KEY: 'payments/acme' }, rails));
    return [text.includes('pay-ins/refresh-banks.'), text.includes('\\"seedsBanks\\":true')];
  };
  expect([served({ PSE: listing }), served({ PSE: acme, NEQUI: listing }), served({})]).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
});

test('a secret that the settings do not name is refused, in one sentence', () => {
  expect(() => serviceWith({})).toThrow('which secret of Secrets Manager is ACME_KEY: add it to secrets');
});
