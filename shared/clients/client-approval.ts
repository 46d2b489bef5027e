import * as z from 'zod/mini';

/** The result of compliance for a client (interface 2.1). */
export const clientApproval = z.object({
  clientId: z.string(),
  complianceStatus: z.string(),
  status: z.string(),
  /** Ids of the last applied results of any kind, newest first. */
  resultIds: z._default(z.array(z.string()), []),
  /** The last result that withheld an approval, and the time of its application. */
  withheld: z.optional(z.object({ eventId: z.string(), at: z.string() })),
  /** Grows by one with every write; 0 before the first. */
  sequence: z._default(z.int(), 0),
});

export type ClientApproval = Readonly<z.infer<typeof clientApproval>>;

/** A result of compliance, of either kind or both, and its time. */
export interface IncomingApproval {
  readonly clientId: string;
  /** The same for every repeat of a result. */
  readonly eventId: string;
  readonly complianceStatus?: string | undefined;
  readonly status?: string | undefined;
  readonly at: string;
  /** The time of its arrival. */
  readonly cameAt: string;
}

/** The number of last results whose repeats are recognised. */
const MOST_RESULTS = 20;

const APPROVED = 'approved';

/** The status that the client reads: `approved` if it may operate, else the result that prevents it. */
export function clientStatusOf({
  complianceStatus,
  status,
}: Pick<ClientApproval, 'complianceStatus' | 'status'>): string {
  return complianceStatus === 'approved' ? status : complianceStatus;
}

/** The decision about a compliance result. */
interface ApprovalDecision {
  /** The approval to write; absent if nothing changes. */
  readonly after?: ClientApproval;
  /** True if the result approves, but is not newer than the one that withheld the approval. */
  readonly isTooOld: boolean;
}

/**
 * Decides what a result changes. Messages may be late or repeated, and may have any time. So a result that withholds
 * the approval counts at once; an approval counts only if it was made after the last such result was applied
 * (decisions.md 11, Clients). An approval from before a suspension never ends it. Within one second the order is
 * unknown.
 */
export function decideApproval(seen: ClientApproval, result: IncomingApproval, now: Date): ApprovalDecision {
  const { eventId, at, cameAt, complianceStatus = seen.complianceStatus, status = seen.status } = result;
  if (seen.resultIds.includes(eventId)) return { isTooOld: false };
  const words = [result.complianceStatus, result.status].filter((word) => word !== undefined);
  const approves = words.includes(APPROVED);
  const isTooOld = approves && seen.withheld !== undefined && secondOf(at) <= secondOf(seen.withheld.at);
  const withholds = words.some((word) => word !== APPROVED);
  if (isTooOld && !withholds) return { isTooOld };
  const unless = (word: string, known: string) => (isTooOld && word === APPROVED ? known : word);
  return {
    isTooOld,
    after: {
      ...seen,
      complianceStatus: unless(complianceStatus, seen.complianceStatus),
      status: unless(status, seen.status),
      resultIds: [eventId, ...seen.resultIds].slice(0, MOST_RESULTS),
      // A slow clock must not date this result before an approval that arrived earlier.
      ...(withholds && { withheld: { eventId, at: later(now.toISOString(), cameAt) } }),
      sequence: seen.sequence + 1,
    },
  };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function secondOf(instant: string): string {
  return instant.slice(0, 19);
}
