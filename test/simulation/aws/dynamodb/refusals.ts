import type { Random } from '#test/simulation/kernel/random.ts';
import type { Item } from './attribute-values.ts';
import type { Engine } from './engine.ts';
import { cancelled, conflicting, type Throttling, throttled } from './exceptions.ts';
import type { Faults } from './faults.ts';
import { type Request, writesOf } from './request.ts';

/** The longest time for which a key is hot, in milliseconds: longer than any retries. */
const LONGEST_HEAT = 10_000;

const names: readonly [Throttling, Throttling] = ['ThrottlingException', 'ProvisionedThroughputExceededException'];

/** Returns the exception that DynamoDB throws for lack of capacity or a conflict; `undefined` for a request to do. */
export function createRefusals({ tables }: Engine, random: Random, faults: Faults, now: () => number) {
  /** The end of the heat of each hot partition. */
  const hot = new Map<string, number>();
  const inTransactions = new Set<string>();

  function partitionsOf(request: Request): readonly string[] {
    const partition = (table = '', key: Item = {}) => `${table} ${key[tables.get(table)?.shape.key[0] ?? '']?.S}`;
    if (request.does === 'GET') return [partition(request.input.TableName, request.input.Key)];
    return writesOf(request).map(({ TableName, Key, Item }) => partition(TableName, Key ?? Item));
  }

  /** Returns the position of the throttled leg, or -1; a read has one leg. */
  function throttledLeg(request: Request): number {
    const partitions = partitionsOf(request);
    if (partitions.length > 0 && random.chance(faults.hotKey)) {
      hot.set(partitions[random.below(partitions.length)] ?? '', now() + random.below(LONGEST_HEAT));
    }
    const heated = hot.size === 0 ? -1 : partitions.findIndex((partition) => (hot.get(partition) ?? 0) > now());
    return heated === -1 && random.chance(faults.throttling) ? 0 : heated;
  }

  function conflictingLeg(request: Request): number {
    const writes = writesOf(request);
    if (request.does === 'TRANSACTION') for (const { TableName = '' } of writes) inTransactions.add(TableName);
    if (writes.length === 0 || !random.chance(faults.conflict)) return -1;
    const leg = random.below(writes.length);
    return inTransactions.has(writes[leg]?.TableName ?? '') ? leg : -1;
  }

  /** A transaction is refused with a reason for each of its legs. */
  function refused(request: Request, leg: number, code: string, alone: () => Error): Error {
    if (request.does !== 'TRANSACTION') return alone();
    return cancelled(request.writes.map((_, position) => ({ Code: position === leg ? code : 'None' })));
  }

  return (request: Request): Error | undefined => {
    const throttledAt = throttledLeg(request);
    if (throttledAt !== -1) {
      const name = random.pick(names);
      // The code of a leg differs from the exception's name.
      const code = name === 'ThrottlingException' ? 'ThrottlingError' : 'ProvisionedThroughputExceeded';
      return refused(request, throttledAt, code, () => throttled(name));
    }
    const conflictAt = conflictingLeg(request);
    return conflictAt === -1 ? undefined : refused(request, conflictAt, 'TransactionConflict', conflicting);
  };
}
