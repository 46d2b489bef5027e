import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StrictName } from '#infra/stage/settings.ts';
import type { TableName } from '#infra/stage/table-shapes.ts';

export interface StrictCondition {
  readonly table: TableName;
  readonly action: 'PutItem' | 'UpdateItem' | 'DeleteItem';
  /** Only this function has it; every one that may do that to the table when not given. */
  readonly folder?: string;
  /** The patterns one of which the key of each item must match, */
  readonly keysLike?: readonly string[];
  /** or which attributes an item must be without. */
  readonly without?: readonly string[];
}

/** Conditions on what a function writes, which only AWS evaluates. A stage has those that its settings name. */
export const strictConditions: Readonly<Record<StrictName, StrictCondition>> = {
  /** A claim that has funded an off-ramp is never deleted. */
  'declared-hashes': { table: 'hashes', action: 'DeleteItem', keysLike: ['DECLARED#*'] },
  /** Whole items are put of hashes that are looked for and of how far custodians' lists are read, never of deposits. */
  searches: { table: 'deposits', action: 'PutItem', keysLike: ['HASH#*', 'LIST#*'] },
  /** This function stores events of other services: with this attribute the stream would publish them as ours. */
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

/** What the settings of a stage ask of a function's use of a table. */
export function strictFor(
  names: readonly StrictName[],
  folder: string,
  table: TableName,
  actions: readonly string[],
): readonly StrictCondition[] {
  return names
    .map((name) => strictConditions[name])
    .filter((one) => one.table === table && actions.includes(one.action) && (one.folder ?? folder) === folder);
}

/** Keys are a condition of what is allowed; attributes that must not be there are denied. */
export function strictStatement(
  { action, keysLike, without = [] }: StrictCondition,
  tableArn: string,
): PolicyStatement {
  const on = { actions: [`dynamodb:${action}`], resources: [tableArn] };
  if (keysLike === undefined) {
    const conditions = { 'ForAnyValue:StringEquals': { 'dynamodb:Attributes': [...without] } };
    return new PolicyStatement({ ...on, effect: Effect.DENY, conditions });
  }
  // A call without keys would match: all of no keys do.
  const conditions = {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keysLike] },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
  return new PolicyStatement({ ...on, effect: Effect.ALLOW, conditions });
}
