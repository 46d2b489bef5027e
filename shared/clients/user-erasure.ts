import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expiry } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type User, user } from './user.ts';

interface Tables {
  readonly users: string;
  readonly wallets: string;
}

/** The steps in which the data of a user are erased (decisions.md 11, Persons' data). Each can be repeated. */
export function createUserErasure(dynamo: DynamoDBDocumentClient, tables: Tables) {
  const update = async (userId: string, expression: string, condition: string, values?: Record<string, unknown>) => {
    const command = new UpdateCommand({
      TableName: tables.users,
      Key: { userId },
      UpdateExpression: expression,
      ConditionExpression: condition,
      ...(values !== undefined && { ExpressionAttributeValues: values }),
      ReturnValues: 'ALL_NEW',
    });
    const written = await unlessConditionFails(dynamo.send(command));
    if (written === undefined) throw new WriteConflict('user');
    return user.parse(written.Attributes);
  };

  return {
    /** Closes the user, which gets no new orders from now on. A repeat keeps the first time. */
    close: (userId: string, at: string): Promise<User> =>
      update(userId, 'SET closedAt = if_not_exists(closedAt, :at)', 'attribute_exists(userId)', { ':at': at }),

    /** Reopens a user of which something is still open. @throws {WriteConflict} when its data are erased meanwhile */
    reopen: (userId: string): Promise<User> =>
      update(userId, 'REMOVE closedAt', 'attribute_exists(userId) AND attribute_not_exists(erasedAt)'),

    /**
     * Erases the e-mail address and the phone number of a closed user, which no other call changes; DynamoDB deletes
     * the rest, and the wallets, after `keptDays` days. The user is written first, because only its write can be
     * refused.
     *
     * @throws {WriteConflict} when the user gets orders again
     */
    async erase(seen: User, walletIds: readonly string[], at: Date, keptDays: number): Promise<User> {
      const { userId, payer, closedAt } = seen;
      const { email: _, ...kept } = payer ?? {};
      const erased = await update(
        userId,
        'SET erasedAt = if_not_exists(erasedAt, :at), expiresAt = if_not_exists(expiresAt, :end), payer = :kept REMOVE phone',
        'closedAt = :closed',
        { ':at': at.toISOString(), ':end': expiry(at, keptDays), ':kept': kept, ':closed': closedAt },
      );
      for (const walletId of walletIds) {
        const wallet = new UpdateCommand({
          TableName: tables.wallets,
          Key: { userId, walletId },
          UpdateExpression: 'SET expiresAt = if_not_exists(expiresAt, :end)',
          ConditionExpression: 'attribute_exists(walletId)',
          ExpressionAttributeValues: { ':end': erased.expiresAt },
        });
        await unlessConditionFails(dynamo.send(wallet));
      }
      return erased;
    },
  };
}
