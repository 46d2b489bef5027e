import * as z from 'zod/mini';

/** What compliance says of a client (interface 2.1). */
export const clientApproval = z.object({
  clientId: z.string(),
  complianceStatus: z.string(),
  status: z.string(),
  /** When each was last received, RFC 3339 in UTC; empty until then. */
  complianceStatusAt: z._default(z.string(), ''),
  statusAt: z._default(z.string(), ''),
  /** Grows by one with every write; 0 before the first. */
  sequence: z._default(z.int(), 0),
});

export type ClientApproval = Readonly<z.infer<typeof clientApproval>>;

/** A result of compliance, of either kind or both, and when it came about. */
export interface IncomingApproval {
  readonly complianceStatus?: string | undefined;
  readonly status?: string | undefined;
  readonly at: string;
}

/** What the client reads: `approved` if it may operate, else the result that prevents it. */
export function statusOf({ complianceStatus, status }: Pick<ClientApproval, 'complianceStatus' | 'status'>): string {
  return complianceStatus === 'approved' ? status : complianceStatus;
}

/**
 * The approval after a result of compliance; `undefined` when the result changes nothing. Messages come late and more
 * than once: an older result is ignored, because a repeated approval would undo a suspension. Of two results in the same
 * second nobody knows which came first, and the approving one is ignored.
 */
export function approvalAfter(seen: ClientApproval, incoming: IncomingApproval): ClientApproval | undefined {
  const { complianceStatus, status, at } = incoming;
  const after = {
    ...seen,
    ...(complianceStatus !== undefined &&
      overtakes(complianceStatus, at, seen.complianceStatusAt) && { complianceStatus, complianceStatusAt: at }),
    ...(status !== undefined && overtakes(status, at, seen.statusAt) && { status, statusAt: at }),
    sequence: seen.sequence + 1,
  };
  const isNew =
    after.complianceStatus !== seen.complianceStatus ||
    after.complianceStatusAt !== seen.complianceStatusAt ||
    after.status !== seen.status ||
    after.statusAt !== seen.statusAt;
  return isNew ? after : undefined;
}

function overtakes(result: string, at: string, knownAt: string): boolean {
  return at > knownAt || (at === knownAt && result !== 'approved');
}
