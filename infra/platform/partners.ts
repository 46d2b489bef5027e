import { Aws } from 'aws-cdk-lib';
import type { MemberNeeds } from '#infra/stage/deployments.ts';
import { custodiansOf, railsOf, type Stage } from '#infra/stage/stages.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Keys } from './keys.ts';
import type { ServiceFunction } from './service-function.ts';

/** Lets a function ask only these members of the stage's custodians: it gets nothing by which it could ask others. */
export function allowAskingCustodians(fn: ServiceFunction, stage: Stage, keys: Keys, ...members: (keyof Custodian)[]) {
  nameCustodians(fn, stage);
  for (const custodian of custodiansOf(stage)) {
    for (const member of members) allowAsking(fn, stage, keys, custodian.members[member] ?? {});
  }
}

/** Tells a function which custodian each network has. */
export function nameCustodians(fn: ServiceFunction, { custodians }: Stage): ServiceFunction {
  return fn.setting('CUSTODIANS', JSON.stringify(namesOf(custodians)));
}

/** Lets a function ask only these members of the stage's rails: it gets nothing by which it could ask others. */
export function allowAskingRails(fn: ServiceFunction, stage: Stage, keys: Keys, ...members: (keyof PaymentRail)[]) {
  fn.setting('PAYMENT_RAILS', JSON.stringify(namesOf(stage.rails)));
  for (const rail of railsOf(stage)) {
    for (const member of members) allowAsking(fn, stage, keys, rail.members[member] ?? {});
  }
}

function namesOf(providers: Readonly<Record<string, { readonly name: string }>>): object {
  return Object.fromEntries(Object.entries(providers).map(([of, { name }]) => [of, name]));
}

/** Gives a function what one member of a provider's adapter needs. @throws when the stage does not name a secret */
function allowAsking(
  fn: ServiceFunction,
  { settings }: Stage,
  keys: Keys,
  { environment = {}, secrets = [], tables = {}, verifiesWith = {} }: MemberNeeds,
): void {
  fn.useTables(tables);
  for (const [variable, value] of Object.entries(environment)) fn.setting(variable, value);
  for (const [variable, key] of Object.entries(verifiesWith)) fn.useKey(variable, keys[key], 'kms:GetPublicKey');
  for (const variable of secrets) {
    const name = settings.secrets?.[variable];
    if (name === undefined)
      throw new Error(`The settings do not say which secret of Secrets Manager is ${variable}: add it to secrets.`);
    fn.setting(variable, name).grant(
      ['secretsmanager:GetSecretValue'],
      // Secrets Manager puts a dash and six characters behind the name.
      [`arn:${Aws.PARTITION}:secretsmanager:${Aws.REGION}:${Aws.ACCOUNT_ID}:secret:${name}-??????`],
    );
  }
}
