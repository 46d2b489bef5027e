import * as z from 'zod/mini';

/** What compliance says of a client (interface 2.1). */
export const clientApproval = z.object({
  clientId: z.string(),
  complianceStatus: z.string(),
  status: z.string(),
  /** Ids of the last results that were applied, of whatever kind, the newest first. */
  resultIds: z._default(z.array(z.string()), []),
  /** The last result that withheld an approval, and when it was applied. */
  withheld: z.optional(z.object({ eventId: z.string(), at: z.string() })),
  /** Grows by one with every write; 0 before the first. */
  sequence: z._default(z.int(), 0),
});

export type ClientApproval = Readonly<z.infer<typeof clientApproval>>;

/** A result of compliance, of either kind or both, and when it came about. */
export interface IncomingApproval {
  readonly clientId: string;
  /** The same however often it comes. */
  readonly eventId: string;
  readonly complianceStatus?: string | undefined;
  readonly status?: string | undefined;
  readonly at: string;
  /** When it came. */
  readonly cameAt: string;
}

/** So many results are recognised when they come again. */
const MOST_RESULTS = 20;

const APPROVED = 'approved';

/** What the client reads: `approved` if it may operate, else the result that prevents it. */
export function statusOf({ complianceStatus, status }: Pick<ClientApproval, 'complianceStatus' | 'status'>): string {
  return complianceStatus === 'approved' ? status : complianceStatus;
}

/** What becomes of a result of compliance. */
interface JudgedResult {
  /** What is to be written; nothing when it is not there. */
  readonly after?: ClientApproval;
  /** It approves, and is not later than the result that withheld the approval. */
  readonly isTooOld: boolean;
}

/**
 * Messages come late, more than once, and with whatever time. So what withholds an approval counts at once, and an approval
 * only when it came about after the last of those was applied (decisions.md 11, Clients): none that was sent before a
 * suspension ends it. Of two in the same second nobody knows which came first.
 */
export function judgeResult(seen: ClientApproval, result: IncomingApproval, now: Date): JudgedResult {
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
      // A clock that is behind must not make it older than what came before it.
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
