import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';

/** A change that an operator asked for (decisions.md 11, Audit). */
export interface AuditedChange {
  readonly auditId: string;
  /** RFC 3339 in UTC. */
  readonly at: string;
  /** The identity that signed the call, with the name of its session. */
  readonly who: string;
  readonly command: string;
  /** Without secrets and without what is said of a person. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly requestId: string;
}

/** What came of it. */
export interface AuditedResult {
  readonly auditId: string;
  readonly at: string;
  /** `DONE`, or the code of the error. */
  readonly result: string;
  /** Ids of what was made. */
  readonly ids?: Readonly<Record<string, unknown>>;
}

/** The audit, into which items are only put, each once: no command reads, alters or deletes one. */
export function createAudit(dynamo: DynamoDBDocumentClient, table: string) {
  const put = async (record: string, item: AuditedChange | AuditedResult) => {
    await dynamo.send(
      new PutCommand({
        TableName: table,
        Item: { ...item, record },
        ConditionExpression: 'attribute_not_exists(auditId)',
      }),
    );
  };
  return {
    asked: (change: AuditedChange) => put('ASKED', change),
    ended: (result: AuditedResult) => put('ENDED', result),
  };
}

export type Audit = ReturnType<typeof createAudit>;
