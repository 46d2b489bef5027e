import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StrictName } from '#infra/stage/settings.ts';
import type { TableName } from '#infra/stage/table-shapes.ts';

export interface StrictCondition {
  readonly table: TableName;
  readonly action: 'PutItem' | 'UpdateItem' | 'DeleteItem';
  /** The only function that has the condition; when not given, all that may take this action on the table. */
  readonly folder?: string;
  /** Patterns, one of which the key of each item must match, */
  readonly keysLike?: readonly string[];
  /** or attributes that an item must not have. */
  readonly without?: readonly string[];
}

/** Conditions on what a function writes, which only AWS evaluates. A stage has those that its settings name. */
export const strictConditions: Readonly<Record<StrictName, StrictCondition>> = {
  /** A claim that has funded an off-ramp is never deleted. */
  'declared-hashes': { table: 'hashes', action: 'DeleteItem', keysLike: ['DECLARED#*'] },
  /** Whole items are put only for searched hashes and the progress in custodians' lists, never for deposits. */
  searches: { table: 'deposits', action: 'PutItem', keysLike: ['HASH#*', 'LIST#*'] },
  /** This function stores events of other services; with this attribute they would be published as the service's. */
  outbox: {
    table: 'events',
    action: 'PutItem',
    folder: 'webhooks/fan-out-event',
    without: ['unpublishedIn'],
  },
  /** A change of a client's approval changes no secret and no certificate. */
  'client-secrets': {
    table: 'clients',
    action: 'UpdateItem',
    folder: 'clients/apply-client-status',
    without: ['secretDigests', 'previousSecretUntil', 'certificateSubjects'],
  },
};

/** The conditions that the settings of a stage set for a function's use of a table. */
export function strictConditionsFor(
  names: readonly StrictName[],
  folder: string,
  table: TableName,
  actions: readonly string[],
): readonly StrictCondition[] {
  return names
    .map((name) => strictConditions[name])
    .filter((one) => one.table === table && actions.includes(one.action) && (one.folder ?? folder) === folder);
}

/** Allows only the keys of a condition, or denies the attributes that must not be there. */
export function strictStatement(
  { action, keysLike, without = [] }: StrictCondition,
  tableArn: string,
): PolicyStatement {
  const on = { actions: [`dynamodb:${action}`], resources: [tableArn] };
  if (keysLike === undefined) {
    const conditions = { 'ForAnyValue:StringEquals': { 'dynamodb:Attributes': [...without] } };
    return new PolicyStatement({ ...on, effect: Effect.DENY, conditions });
  }
  // `Null` refuses a call without keys, which would match: all of no keys do.
  const conditions = {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keysLike] },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
  return new PolicyStatement({ ...on, effect: Effect.ALLOW, conditions });
}
