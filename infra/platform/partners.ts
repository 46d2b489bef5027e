import type { Stage } from '#infra/stage/stages.ts';
import type { Keys } from './keys.ts';
import type { ServiceFunction } from './service-function.ts';

export function nameCustodian(fn: ServiceFunction, { custodian }: Stage): ServiceFunction {
  return fn.setting('CUSTODIAN', custodian.name);
}

export function allowFindingTransfers(fn: ServiceFunction, stage: Stage): ServiceFunction {
  return nameCustodian(fn, stage).useTables(stage.custodian.tables.findTransfers);
}

export function allowVerifyingCustodian(fn: ServiceFunction, stage: Stage, keys: Keys): ServiceFunction {
  const { notificationKey } = stage.custodian;
  nameCustodian(fn, stage);
  return notificationKey === undefined ? fn : fn.useKey('CUSTODIAN_KEY_ID', keys[notificationKey], 'kms:GetPublicKey');
}

export function allowFindingPayments(fn: ServiceFunction, { rail }: Stage): ServiceFunction {
  return fn.setting('PAYMENT_RAIL', rail.name).useTables(rail.tables.find);
}

export function allowOrderingPayments(fn: ServiceFunction, { rail }: Stage): ServiceFunction {
  return fn.setting('PAYMENT_RAIL', rail.name).useTables(rail.tables.order);
}

export function allowVerifyingRail(fn: ServiceFunction, { rail }: Stage, keys: Keys): ServiceFunction {
  const { name, notificationKey } = rail;
  fn.setting('PAYMENT_RAIL', name);
  return notificationKey === undefined ? fn : fn.useKey('RAIL_KEY_ID', keys[notificationKey], 'kms:GetPublicKey');
}
