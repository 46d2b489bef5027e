import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/** A change that an operator asked for (decisions.md 11, Audit). */
export const auditedChange = z.object({
  auditId: z.string(),
  /** RFC 3339 in UTC. */
  at: instant,
  /** The identity that signed the call, with the name of its session. */
  who: z.string(),
  command: z.string(),
  /** Without secrets and without what is said of a person. */
  arguments: z.record(z.string(), z.unknown()),
  /** The id, among the arguments, by which the change is found. */
  about: z.optional(z.string()),
  reason: z.string(),
  requestId: z.string(),
});

export type AuditedChange = Readonly<z.infer<typeof auditedChange>>;

/** What came of it. */
export const auditedResult = z.object({
  auditId: z.string(),
  at: instant,
  /** `DONE`, or the code of the error. */
  result: z.string(),
  /** Ids of what was made or changed. */
  ids: z.optional(z.record(z.string(), z.unknown())),
});

export type AuditedResult = Readonly<z.infer<typeof auditedResult>>;

/** The two items of a change, by their sort key. */
export const AUDIT_RECORDS = { asked: 'ASKED', ended: 'ENDED' } as const;

/** A change of operators, as who looks something up sees it. */
export const changeLine = z.object({
  ...z.pick(auditedChange, { at: true, who: true, command: true }).shape,
  /** Absent of one that broke off: look whether it was done. */
  result: z.optional(auditedResult.shape.result),
  ...z.pick(auditedChange, { reason: true, auditId: true }).shape,
});
