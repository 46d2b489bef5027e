import * as z from 'zod/mini';

/** What compliance says of a client (interface 2.1). */
export const clientApproval = z.object({
  clientId: z.string(),
  complianceStatus: z.string(),
  status: z.string(),
  /** When each was told last, RFC 3339 in UTC; empty until then. */
  complianceStatusAt: z._default(z.string(), ''),
  statusAt: z._default(z.string(), ''),
  /** Grows by one with every write; 0 before the first. */
  sequence: z._default(z.int(), 0),
});

export type ClientApproval = Readonly<z.infer<typeof clientApproval>>;

/** A result of compliance, of either kind or both, and when it came about. */
export interface ToldApproval {
  readonly complianceStatus?: string | undefined;
  readonly status?: string | undefined;
  readonly at: string;
}

/** The one word that a client needs: `approved` if it may operate, else what stands in the way. */
export function statusOf({ complianceStatus, status }: Pick<ClientApproval, 'complianceStatus' | 'status'>): string {
  return complianceStatus === 'approved' ? status : complianceStatus;
}

/**
 * The approval once it takes in what is told; `undefined` when that is nothing new. Messages come late and again: a
 * result older than the one that is known is not taken, or a repeated approval would undo a suspension. Of two of the
 * same second nobody knows which came first, and the one that approves is not taken either.
 */
export function approvalAfter(seen: ClientApproval, told: ToldApproval): ClientApproval | undefined {
  const { complianceStatus, status, at } = told;
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
