import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnTransactionConflict, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { retryOnConflict, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import type { ClientProfile } from './client-contract.ts';
import { directoryEntry } from './client-directory.ts';
import type { Client } from './client-repository.ts';
import type { ClientSecrets } from './client-secrets.ts';

type Identified = Pick<ClientProfile['person'], 'identificationNro' | 'verificateDigit'>;

/** The prefix of the key of an item that claims an identification number. */
const CLAIM = 'IDENTIFICATION#';

export const identificationHolder = z.object({ holder: z.string() });

/**
 * A number for comparison: without dots, spaces and hyphens, and without a check digit after a hyphen, a dash or a
 * space.
 */
export function comparableNumber({ identificationNro, verificateDigit }: Identified): string {
  const number = identificationNro.normalize('NFKC').trim();
  const before = number.slice(0, -String(verificateDigit).length);
  const isSetOff = number === `${before}${verificateDigit}` && /[\s\p{Pd}]$/u.test(before);
  return (isSetOff ? before : number).replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
}

/** The item that prevents a second registration of this number. */
export function identificationClaim(person: Identified, holder: string) {
  return { clientId: `${CLAIM}${comparableNumber(person)}`, holder };
}

/** Finds the client that is registered under this number. */
function createFindIdentified(dynamo: DynamoDBDocumentClient, table: string) {
  return async (person: Identified): Promise<string | undefined> => {
    const { clientId } = identificationClaim(person, '');
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId }, ConsistentRead: true }));
    return Item && identificationHolder.parse(Item).holder;
  };
}

/** Creates and changes clients for operators. */
export function createClientOnboarding(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const retry = <Output>(write: () => Promise<Output>) => retryOnTransactionConflict(clock, write);
  return {
    findIdentified: createFindIdentified(dynamo, table),

    /**
     * Creates a client, which is not approved yet. False, and nothing is written, when another client has its
     * identification number.
     */
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
      // A client with this id was written by an earlier try, whose answer was lost.
      return failed.has('client') || !failed.has('claim');
    },

    /** Replaces an operators' setting of a client. @throws {WriteConflict} when it changed after the client was read */
    async replaceSetting<Name extends 'dailyLimits' | 'certificateSubjects'>(
      seen: Pick<Client, 'clientId' | Name>,
      name: Name,
      after: NonNullable<Client[Name]>,
    ): Promise<void> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { clientId: seen.clientId },
        UpdateExpression: 'SET #name = :after',
        ConditionExpression: `attribute_exists(clientId) AND ${seen[name] === undefined ? 'attribute_not_exists(#name)' : '#name = :seen'}`,
        ExpressionAttributeNames: { '#name': name },
        // DynamoDB refuses a value that no expression uses; an undefined one is left out.
        ExpressionAttributeValues: { ':after': after, ':seen': seen[name] },
      });
      if ((await unlessConditionFails(retry(() => dynamo.send(update)))) === undefined) throw new WriteConflict(name);
    },

    /** False when the secrets changed after they were read, except by an earlier try whose answer was lost. */
    async replaceSecrets(clientId: string, seen: ClientSecrets, after: ClientSecrets): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { clientId },
        UpdateExpression: `SET secretDigests = :digests${
          after.previousSecretUntil === undefined ? ' REMOVE previousSecretUntil' : ', previousSecretUntil = :until'
        }`,
        ConditionExpression: 'secretDigests = :seen OR secretDigests = :digests',
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
