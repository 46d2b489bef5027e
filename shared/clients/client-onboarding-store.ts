import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { retryOnTransactionConflict } from '#shared/platform/dynamodb/update-item.ts';
import type { ClientProfile } from './client-profile-store.ts';
import type { ClientSecrets, RotatedSecrets } from './client-secrets.ts';

/** Clients as operators make them. */
export function createClientOnboarding(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const retry = <Output>(write: () => Promise<Output>) => retryOnTransactionConflict(clock, write);
  return {
    /** A new client, which is not approved yet. */
    async create(clientId: string, profile: Omit<ClientProfile, 'id' | 'complianceStatus' | 'status'>, digest: string) {
      const record = { clientId, complianceStatus: 'pending', status: 'pending', secretDigests: [digest], profile };
      await retry(() =>
        dynamo.send(
          new PutCommand({
            TableName: table,
            Item: record,
            ConditionExpression: 'attribute_not_exists(clientId)',
          }),
        ),
      );
    },

    /** False when the secrets were changed since they were read. */
    async replaceSecrets(clientId: string, seen: ClientSecrets, after: RotatedSecrets): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { clientId },
        UpdateExpression: 'SET secretDigests = :digests, previousSecretUntil = :until',
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
