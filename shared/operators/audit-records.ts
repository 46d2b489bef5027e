import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { instant, instantIn } from '#shared/platform/http/fields.ts';

/** A change that an operator asked for (decisions.md 11, Audit). */
export const auditedChange = z.object({
  auditId: z.string(),
  /** RFC 3339 in UTC. */
  at: instant,
  /** The identity that signed the call, with the name of its session. */
  who: z.string(),
  /** What AWS calls it: of a role its id and the session; and the id of the key that signed, by which CloudTrail finds who took on the role. */
  principal: z.optional(z.string()),
  accessKey: z.optional(z.string()),
  command: z.string(),
  /** Without secrets; of what is said of a person the names of its fields. */
  arguments: z.record(z.string(), z.unknown()),
  /** The id, among the arguments, by which the change is found. */
  about: z.optional(z.string()),
  reason: z.string(),
  requestId: z.string(),
});

export type AuditedChange = Readonly<z.infer<typeof auditedChange>>;

/** The result. */
export const auditedResult = z.object({
  auditId: z.string(),
  at: instant,
  /** `DONE`, or the code of the error. */
  result: z.string(),
  /** Ids of what was made or changed. */
  ids: z.optional(z.record(z.string(), z.unknown())),
  /** What was made, by which the change is found, too. */
  about: z.optional(z.string()),
});

export type AuditedResult = Readonly<z.infer<typeof auditedResult>>;

/** Whom somebody means who names an operator: the session of a role, or a user, whatever comes before it in an ARN. */
export function personOf(who: string): string {
  return (who.split(/[:/]/).at(-1) ?? '').toLowerCase();
}

/** The two items of a change, by their sort key. */
export const AUDIT_RECORDS = { asked: 'ASKED', ended: 'ENDED' } as const;

/** A change of operators, as who looks something up sees it. */
export const changeLine = z.object({
  ...z.pick(auditedChange, { at: true, who: true, command: true }).shape,
  /** Absent of one that broke off: look whether it was done. */
  result: z.optional(auditedResult.shape.result),
  ...z.pick(auditedChange, { reason: true, auditId: true }).shape,
});

/** The same in a list of changes of anything: with what was asked for. */
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
      /** The id of what was changed or made. */
      about: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
      /** The session or the user of an operator, or the whole ARN. */
      by: z.optional(
        z
          .string()
          .check(z.trim(), z.maxLength(2048), z.regex(/[^:/]$/, 'must be the name of a session or user, or an ARN')),
      ),
      /** The time of the newest. */
      until: z.optional(instantIn),
    })
    .check(({ value: { about, by }, issues }) => {
      if (about !== undefined || by !== undefined) return;
      const message = 'or by has to be given';
      issues.push({ code: 'invalid_format', format: 'regex', path: ['about'], input: '', message });
    }),
  /** A list that goes on says until when, and its next page begins with what has that time. */
  answer: z.object({ items: z.array(auditLine), nextUntil: z.optional(instant) }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});
