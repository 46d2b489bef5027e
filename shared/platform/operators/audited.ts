import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { asApiError } from '#shared/platform/http/api-error.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { operatorEndpoint } from '#shared/platform/http/endpoints.ts';
import { withoutPersonalData } from '#shared/platform/http/personal.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describe, type Fields, log } from '#shared/platform/logger.ts';
import { AUDIT_RECORDS, type AuditedChange, type AuditedResult, operatorName, utcDay } from './audit-records.ts';
import type { Handler } from './route-by-path.ts';

/** Any command of operators. */
export type Command = Contract<
  z.ZodMiniType,
  z.ZodMiniType<CommandBody>,
  z.ZodMiniType,
  z.ZodMiniType,
  'operator',
  false
>;

interface CommandBody {
  readonly arguments: unknown;
  readonly reason: string;
}

type InputOf<C extends Command> = z.infer<C['body']>['arguments'];

/** Who requests a change, and why; the audit has both already. */
export interface ChangeRequest {
  /** The ARN of the identity that signed. */
  readonly who: string;
  readonly reason: string;
  readonly auditId: string;
}

/** The work of a command. The log and the audit get the ids that it created or changed. */
export type Change<C extends Command> = (
  input: InputOf<C>,
  asked: ChangeRequest,
) => Promise<{
  readonly body: z.infer<C['success']['body']>;
  readonly ids: Fields;
  /** True if nothing is done yet: the change waits for a second person. */
  readonly isProposed?: true | undefined;
}>;

interface Auditing {
  readonly audit: Audit;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Registers a command by its path, under audit. */
export type RegisterCommand = <C extends Command>(contract: C, change: Change<C>) => readonly [string, Handler];

export function createRegisterCommand(
  dynamo: DynamoDBDocumentClient,
  auditTable: string,
  clock: Clock,
  newId: () => string,
): RegisterCommand {
  const auditing = { audit: createAudit(dynamo, auditTable), clock, newId };
  return (contract, change) => [
    contract.path,
    operatorEndpoint(contract, clock, createAuditedUseCase(auditing, contract, change)),
  ];
}

/**
 * Writes a change to the audit before it is made, and does not make it if that fails (decisions.md 11, Audit). The
 * result is a second item; `X-Audit-Id` of the answer names both. A change stays made even if the second item cannot be
 * written.
 */
export function createAuditedUseCase<C extends Command>(
  { audit, clock, newId }: Auditing,
  { name, body: schema, subject = [] }: C,
  change: Change<C>,
): UseCase<Command> {
  return async ({ body, http }) => {
    const asked = body();
    const { arguments: input, reason } = asked;
    const auditId = newId();
    const about = subjectOfChange(subject, input);
    await audit.recordRequest({
      auditId,
      at: clock.now().toISOString(),
      who: http.operator ?? '',
      ...http.signer,
      command: name,
      ...auditedRequest.parse(withoutPersonalData(schema, asked)),
      ...(about !== undefined && { about }),
      reason,
      requestId: http.requestId,
    });
    const end = async (result: string, ids?: Fields) => {
      // A created id is known only now.
      const made = subjectOfChange(subject, ids);
      const also = made === undefined || made === about ? {} : { about: made };
      try {
        await audit.recordResult({ auditId, at: clock.now().toISOString(), result, ...(ids && { ids }), ...also });
      } catch (error) {
        log.error('AUDIT_WITHOUT_RESULT', { auditId, command: name, result, cause: describe(error) });
      }
    };
    try {
      const { isProposed, ...changed } = await change(input, { who: http.operator ?? '', reason, auditId });
      await end(isProposed ? 'PROPOSED' : 'DONE', changed.ids);
      return { ...changed, headers: { 'X-Audit-Id': auditId }, ids: { ...changed.ids, auditId } };
    } catch (error) {
      await end(asApiError(error).code);
      throw error;
    }
  };
}

/** The request as the audit stores it, beside the reason. */
const auditedRequest = z.object({ arguments: z.record(z.string(), z.unknown()) });

/** The subject of a change: the first of these ids that is present. */
export function subjectOfChange(names: readonly string[], given: unknown): string | undefined {
  const ids = new Map<string, unknown>(Object.entries(typeof given === 'object' && given !== null ? given : {}));
  return names.map((name) => ids.get(name)).find((id) => typeof id === 'string');
}

/** The audit: items are only put, each once. No command alters or deletes one; lookups read them. */
export function createAudit(dynamo: DynamoDBDocumentClient, table: string) {
  const put = async (record: string, item: (AuditedChange & Indexed) | AuditedResult) => {
    await dynamo.send(
      new PutCommand({
        TableName: table,
        Item: { ...item, record },
        ConditionExpression: 'attribute_not_exists(auditId)',
      }),
    );
  };
  return {
    recordRequest: (change: AuditedChange) =>
      put(AUDIT_RECORDS.asked, { ...change, person: operatorName(change.who), day: utcDay(change.at) }),
    recordResult: (result: AuditedResult) => put(AUDIT_RECORDS.ended, result),
  };
}

type Audit = ReturnType<typeof createAudit>;

/** The keys of the indexes by person and by day. */
interface Indexed {
  readonly person: string;
  readonly day: string;
}
