import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';

/** The subjects of a client's certificates, as API Gateway writes them. */
interface Certified {
  readonly certificateSubjects?: readonly string[] | undefined;
}

/**
 * Whether a call has a certificate of the client (decisions.md 1, Production); always true if the client has none
 * named.
 */
export function hasCertificateOf({ certificateSubjects = [] }: Certified, subject: string | undefined): boolean {
  return certificateSubjects.length === 0 || (subject !== undefined && certificateSubjects.includes(subject));
}

/** @throws {WriteConflict} when the subjects changed after they were read */
export type ChangeCertificates = (clientId: string, seen: Certified, after: readonly string[]) => Promise<void>;

export function createChangeCertificates(dynamo: DynamoDBDocumentClient, table: string): ChangeCertificates {
  return async (clientId, { certificateSubjects: seen }, after) => {
    const isAsSeen = seen === undefined ? 'attribute_not_exists(certificateSubjects)' : 'certificateSubjects = :seen';
    const update = new UpdateCommand({
      TableName: table,
      Key: { clientId },
      UpdateExpression: 'SET certificateSubjects = :after',
      ConditionExpression: `attribute_exists(clientId) AND ${isAsSeen}`,
      ExpressionAttributeValues: { ':after': [...after], ':seen': seen },
    });
    if ((await unlessConditionFails(dynamo.send(update))) === undefined) throw new WriteConflict('certificateSubjects');
  };
}
