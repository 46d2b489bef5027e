import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { instant, instantInput } from '#shared/platform/http/fields.ts';

/** A change that an operator requested (decisions.md 11, Audit). */
export const auditedChange = z.object({
  auditId: z.string(),
  /** RFC 3339 in UTC. */
  at: instant,
  /** The identity that signed the call, with the name of its session. */
  who: z.string(),
  /**
   * AWS's own ids: of the principal, which for a role has the role's id and the session, and of the signing key, by
   * which CloudTrail finds who assumed the role.
   */
  principal: z.optional(z.string()),
  accessKey: z.optional(z.string()),
  command: z.string(),
  /** Without secrets; personal data only as names of fields. */
  arguments: z.record(z.string(), z.unknown()),
  /** The id, among the arguments, that the change can be found by. */
  about: z.optional(z.string()),
  reason: z.string(),
  requestId: z.string(),
});

export type AuditedChange = Readonly<z.infer<typeof auditedChange>>;

/** The result of a change. */
export const auditedResult = z.object({
  auditId: z.string(),
  at: instant,
  /** `DONE`; `PROPOSED` when it waits for a second person; or the code of the error. */
  result: z.string(),
  /** Ids of what was created or changed. */
  ids: z.optional(z.record(z.string(), z.unknown())),
  /** The created id, which the change can be found by, too. */
  about: z.optional(z.string()),
});

export type AuditedResult = Readonly<z.infer<typeof auditedResult>>;

/** The name of an operator, from the end of an ARN: the session of a role, or the user. */
export function operatorName(who: string): string {
  return (who.split(/[:/]/).at(-1) ?? '').toLowerCase();
}

/** The UTC day of a change, by which the changes of all operators are indexed. */
export function utcDay(at: string): string {
  return at.slice(0, 10);
}

/** The two items of a change, by their sort key. */
export const AUDIT_RECORDS = { asked: 'ASKED', ended: 'ENDED' } as const;

/** A change by an operator, as lookups show it. */
export const changeLine = z.object({
  ...z.pick(auditedChange, { at: true, who: true, command: true }).shape,
  /** Absent if the call broke off: check whether the change was made. */
  result: z.optional(auditedResult.shape.result),
  ...z.pick(auditedChange, { reason: true, auditId: true }).shape,
});

/** The same in a list of changes, with the arguments. */
export const auditLine = z.object({
  ...z.pick(auditedChange, { at: true, who: true, command: true, about: true }).shape,
  ...z.pick(changeLine, { result: true }).shape,
  ...z.pick(auditedChange, { reason: true, arguments: true, auditId: true, principal: true, accessKey: true }).shape,
});

export const listAuditContract = lookup({
  name: 'audit',
  summary: 'Changes of operators, newest first: about an id, by a person, or both.',
  query: z
    .object({
      /** The id of what was changed or created, or of the change itself. */
      about: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
      /** The session or the user of an operator, or the whole ARN. */
      by: z.optional(
        z
          .string()
          .check(z.trim(), z.maxLength(2048), z.regex(/[^:/]$/, 'must be the name of a session or user, or an ARN')),
      ),
      /** The latest time of a listed change. */
      until: z.optional(instantInput),
    })
    .check(({ value: { about, by }, issues }) => {
      if (about !== undefined || by !== undefined) return;
      const message = 'or by is required';
      issues.push({ code: 'invalid_format', format: 'regex', path: ['about'], input: '', message });
    }),
  /** `nextUntil` is the time at which the next page begins; absent on the last page. */
  answer: z.object({ items: z.array(auditLine), nextUntil: z.optional(instant) }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});
