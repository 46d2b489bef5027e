import type { Stage } from '#infra/stages.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import type { PaymentRailName } from '#shared/pay-ins/rails/payment-rails.ts';
import type { Keys } from './keys.ts';
import type { ServiceFunction, TableUse } from './service-function.ts';

/** An adapter as a stage names it, with what asking it takes of the stack: the adapter's folder says it. */
interface Deployment<Name extends string, Asked extends string> {
  /** Of its entry, by which functions make it. */
  readonly name: Name;
  /** It stands for nobody outside: nothing that it is brought in production could be honoured. */
  readonly isSimulated: boolean;
  /** Its tables, by what is asked. */
  readonly tables: Readonly<Record<Asked, TableUse>>;
  /** Of its notifications: has the signature, or says that there is one. */
  readonly signatureHeader: string;
  /** The key that its notifications are signed with, where it is one of ours. */
  readonly notificationKey?: keyof Keys;
}

export interface CustodianDeployment extends Deployment<CustodianName, 'findTransfers'> {
  /**
   * Each operation that awaits a deposit has an address, or a tag, of its own, and of its user for ever (decisions.md 4,
   * Deposit address): a deposit is its address's operation's, and nothing is searched for it.
   */
  readonly hasAddressPerOperation: boolean;
}
export type RailDeployment = Deployment<PaymentRailName, 'find' | 'order'>;

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
