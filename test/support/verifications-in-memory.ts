import type { Verification } from '#shared/domain/operation.ts';
import { nextPollOfRun } from '#shared/domain/run-pause.ts';
import type { Verifications } from '#shared/dynamodb/verifications.ts';

type Kept = Pick<Verifications, 'beginRun' | 'settle' | 'overdue'> & {
  readonly items: Map<string, Verification>;
};

/** Current verifications by the ids of their operations, with the conditions of their table; all in one shard. */
export function verificationsInMemory(...given: readonly Verification[]): Kept {
  const items = new Map(given.map((verification) => [verification.operationId, verification]));
  return {
    items,
    async beginRun(seen, now) {
      const kept = items.get(seen.operationId);
      const isAsSeen = kept?.attempt === seen.attempt && kept.run === seen.run && kept.nextCheckAt === seen.nextCheckAt;
      if (!isAsSeen) return undefined;
      const next = { ...kept, run: seen.run + 1, nextCheckAt: nextPollOfRun(seen, now) };
      items.set(seen.operationId, next);
      return next;
    },
    async settle({ operationId, attempt }) {
      const kept = items.get(operationId);
      if (kept?.attempt !== attempt) return false;
      items.set(operationId, { ...kept, nextCheckAt: undefined });
      return true;
    },
    async *overdue(_shard, before) {
      for (const [operationId, { nextCheckAt }] of items) {
        if (nextCheckAt !== undefined && nextCheckAt < before) yield operationId;
      }
    },
  };
}
