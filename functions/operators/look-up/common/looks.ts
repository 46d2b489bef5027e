import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Handler } from '#shared/operators/by-path.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { ListChanges } from './list-changes.ts';

/** Any contract of a lookup. */
type Lookup = Contract<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, 'operator', false>;

/** Registers a lookup by its path. */
export type Look = <C extends Lookup>(contract: C, useCase: UseCase<C>) => readonly [string, Handler];

export interface LookedUp<Table extends string> {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<Table, string>>;
  readonly listChanges: ListChanges;
  readonly clock: Clock;
}
