import type { Stage } from '#infra/stages.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodian-name.ts';
import type { PaymentRailName } from '#shared/pay-ins/rails/payment-rail-name.ts';
import type { Keys } from './keys.ts';
import type { ServiceFunction, TableUse } from './service-function.ts';

/** What asking an adapter takes of this stack: its tables by what is asked, and the key that its notifications are signed with. */
interface Needs<Asked extends string> {
  readonly tables: Readonly<Record<Asked, TableUse>>;
  readonly notificationKey?: keyof Keys;
}

const custodians: Readonly<Record<CustodianName, Needs<'findTransfers'>>> = {
  simulated: {
    tables: { findTransfers: { simulatedTransactions: ['GetItem'] } },
    notificationKey: 'simulatedCustodian',
  },
};

const paymentRails: Readonly<Record<PaymentRailName, Needs<'find' | 'order'>>> = {
  simulated: {
    tables: { find: { simulatedPayments: ['GetItem'] }, order: { simulatedPayments: ['GetItem', 'PutItem'] } },
    notificationKey: 'simulatedRail',
  },
};

export function nameCustodian(fn: ServiceFunction, { custodian }: Stage): ServiceFunction {
  return fn.setting('CUSTODIAN', custodian);
}

export function allowFindingTransfers(fn: ServiceFunction, stage: Stage): ServiceFunction {
  return nameCustodian(fn, stage).useTables(custodians[stage.custodian].tables.findTransfers);
}

export function allowVerifyingCustodian(fn: ServiceFunction, stage: Stage, keys: Keys): ServiceFunction {
  const { notificationKey } = custodians[stage.custodian];
  nameCustodian(fn, stage);
  return notificationKey === undefined ? fn : fn.useKey('CUSTODIAN_KEY_ID', keys[notificationKey], 'kms:GetPublicKey');
}

export function allowFindingPayments(fn: ServiceFunction, { rail }: Stage): ServiceFunction {
  return fn.setting('PAYMENT_RAIL', rail).useTables(paymentRails[rail].tables.find);
}

export function allowOrderingPayments(fn: ServiceFunction, { rail }: Stage): ServiceFunction {
  return fn.setting('PAYMENT_RAIL', rail).useTables(paymentRails[rail].tables.order);
}

export function allowVerifyingRail(fn: ServiceFunction, { rail }: Stage, keys: Keys): ServiceFunction {
  const { notificationKey } = paymentRails[rail];
  fn.setting('PAYMENT_RAIL', rail);
  return notificationKey === undefined ? fn : fn.useKey('RAIL_KEY_ID', keys[notificationKey], 'kms:GetPublicKey');
}
