import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { AUDIT_RECORDS, type AuditedChange, type AuditedResult, personOf } from './audit-records.ts';

/** The audit: items are only put, each once. No command alters or deletes one; lookups read them. */
export function createAudit(dynamo: DynamoDBDocumentClient, table: string) {
  const put = async (record: string, item: (AuditedChange & { readonly person: string }) | AuditedResult) => {
    await dynamo.send(
      new PutCommand({
        TableName: table,
        Item: { ...item, record },
        ConditionExpression: 'attribute_not_exists(auditId)',
      }),
    );
  };
  return {
    asked: (change: AuditedChange) => put(AUDIT_RECORDS.asked, { ...change, person: personOf(change.who) }),
    ended: (result: AuditedResult) => put(AUDIT_RECORDS.ended, result),
  };
}

export type Audit = ReturnType<typeof createAudit>;
