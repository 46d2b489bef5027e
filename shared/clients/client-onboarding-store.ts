import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { retryOnTransactionConflict } from '#shared/platform/dynamodb/update-item.ts';
import { directoryEntry } from './client-directory.ts';
import type { ClientProfile } from './client-profile-store.ts';
import type { ClientSecrets } from './client-secrets.ts';
import type { DailyLimits } from './costly-calls.ts';
import { createFindIdentified, identificationClaim } from './identification-claim.ts';

/** Clients as operators make them. */
export function createClientOnboarding(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const retry = <Output>(write: () => Promise<Output>) => retryOnTransactionConflict(clock, write);
  return {
    findIdentified: createFindIdentified(dynamo, table),

    /** A new client, which is not approved yet. False when another one has its identification number; then nothing was written. */
    async create(
      clientId: string,
      profile: Omit<ClientProfile, 'id' | 'complianceStatus' | 'status'>,
      digest: string,
    ): Promise<boolean> {
      const record = { clientId, complianceStatus: 'pending', status: 'pending', secretDigests: [digest], profile };
      const put = (Item: Readonly<Record<string, unknown>>) => ({
        Put: { TableName: table, Item: { ...Item }, ConditionExpression: 'attribute_not_exists(clientId)' },
      });
      const failed = await retryOnConflict(clock, () =>
        transact(dynamo, {
          client: put({ ...record, ...directoryEntry(profile) }),
          claim: put(identificationClaim(profile.person, clientId)),
        }),
      );
      // It exists already: an earlier try wrote it, and its answer was lost.
      return failed.has('client') || !failed.has('claim');
    },

    /** @throws {WriteConflict} when the limits were changed since they were read */
    async replaceLimits(clientId: string, seen: DailyLimits | undefined, after: DailyLimits): Promise<DailyLimits> {
      const isAsSeen = seen === undefined ? 'attribute_not_exists(dailyLimits)' : 'dailyLimits = :seen';
      const update = new UpdateCommand({
        TableName: table,
        Key: { clientId },
        UpdateExpression: 'SET dailyLimits = :after',
        ConditionExpression: `attribute_exists(clientId) AND ${isAsSeen}`,
        // A value that no expression uses is refused.
        ExpressionAttributeValues: { ':after': after, ...(seen && { ':seen': seen }) },
      });
      const written = await unlessConditionFails(retry(() => dynamo.send(update)));
      if (written === undefined) throw new WriteConflict('limits');
      return after;
    },

    /** False when the secrets were changed since they were read. */
    async replaceSecrets(clientId: string, seen: ClientSecrets, after: ClientSecrets): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { clientId },
        UpdateExpression: `SET secretDigests = :digests${
          after.previousSecretUntil === undefined ? ' REMOVE previousSecretUntil' : ', previousSecretUntil = :until'
        }`,
        ConditionExpression: 'secretDigests = :seen',
        ExpressionAttributeValues: {
          ':digests': after.secretDigests,
          ':until': after.previousSecretUntil,
          ':seen': seen.secretDigests,
        },
      });
      return (await unlessConditionFails(retry(() => dynamo.send(update)))) !== undefined;
    },
  };
}

export type ClientOnboarding = ReturnType<typeof createClientOnboarding>;
