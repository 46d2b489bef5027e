import type { CustodianTransfer, ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import type { Sending } from '#shared/off-ramps/custodians/outgoing.ts';

/**
 * What really happened outside the service, for the books to hold the service against. The world writes it, the books only
 * read it. Instants are milliseconds since 1970; lists are in the order in which things happened.
 */
export interface Truth {
  readonly transfers: readonly TrueTransfer[];
  /** What left accounts of the stage, or was ordered to. */
  readonly sendings: readonly TrueSending[];
  readonly payments: readonly TruePayment[];
  readonly calls: readonly TrueCall[];
  readonly endpoints: readonly TrueEndpoint[];
  readonly receipts: readonly Receipt[];
  /** What other services said on the bus; only entries that the bus has accepted. */
  readonly notices: readonly Notice[];
  /** What operators have asked for that changes something. */
  readonly commands: readonly Command[];
  /** Lists of operators, as they were in the end. */
  readonly lists: readonly TrueList[];
  /** What clients have read that read the feed. */
  readonly feeds: readonly TrueFeed[];
  /** What the payout service has paid. */
  readonly payouts: readonly Payout[];
  /** Lines of the service that call somebody. */
  readonly errors: readonly TrueError[];
  /** Nothing has failed in this round; only reads and indexes were late. */
  readonly isQuiet: boolean;
  /** How often the custodian was asked for a hash, by the hash. */
  readonly custodianCalls: ReadonlyMap<string, number>;
  /** How often the rail was asked for or about a payment, by its reference. */
  readonly railCalls: ReadonlyMap<string, number>;
  /** Clients that break rules on purpose. What nobody owes them is not asked for. */
  readonly hostileClients: ReadonlySet<string>;
  /** When the last act and the last outage were over; from then on only the service works. */
  readonly quietSince: number;
}

/** A transfer on the chain, as the custodian knows it. */
export interface TrueTransfer {
  readonly facts: Omit<CustodianTransfer, 'state' | 'confirmations' | 'createdAt'>;
  /** The first one is when the custodian comes to know it. An outage is no phase. */
  readonly phases: readonly TruePhase[];
  /** When the service answered 2xx to the custodian's notification of it. */
  readonly notifiedAt: readonly number[];
}

interface TruePhase extends Pick<CustodianTransfer, 'state' | 'confirmations'> {
  readonly at: number;
  /** The custodian says another amount than was sent, until it says the right one. */
  readonly isMisread?: boolean;
}

/** Money that a custodian was told to send, or that a person has sent, and what becomes of it. */
export interface TrueSending {
  /** The deposit that is sent back by it; empty of what nobody has ordered. */
  readonly depositId: string;
  /** Absent when a person has sent it. */
  readonly externalId?: string;
  /** The movement in whose place it is, with its nonce: at most one of both arrives. */
  readonly boosts?: string;
  readonly order: Omit<ReturnOrder, 'externalId'>;
  readonly movementId: string;
  readonly takenAt: number;
  readonly phases: readonly SendingPhase[];
  /** What its network takes for it, once that has it for good. */
  readonly fee: { readonly assetId: string; readonly amount: string };
}

/** The money has left while it is COMPLETED. */
export interface SendingPhase extends Pick<Sending, 'state' | 'txHash' | 'mayStillArrive'> {
  readonly at: number;
}

/** From when on the rail says what of a payment. */
export interface PaymentPhase {
  readonly at: number;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** What is to be paid; once it is completed, what was. */
  readonly amount: string;
  readonly currency: string;
}

/** What the rail has under a reference, which is the pay-in's id. */
export interface TruePayment {
  readonly reference: string;
  /** The payments that were made for it and can be paid: more than one asks for the money twice; none of what nobody has ordered. */
  readonly payable: number;
  /** The rail never answers what is asked about it. */
  readonly isSilent: boolean;
  /** The rail's list does not have it. */
  readonly isUnlisted: boolean;
  readonly phases: readonly PaymentPhase[];
  /** When the service answered 2xx to the rail's notification of it. */
  readonly notifiedAt: readonly number[];
}

/** One request of a client at the gateway, and what it got. */
export interface TrueCall {
  /** Whose token it has; a hostile caller without one has an id of its own that no client has. */
  readonly clientId: string;
  readonly at: number;
  readonly method: string;
  /** With the ids, without the query. */
  readonly path: string;
  readonly query?: string;
  readonly idempotencyKey?: string;
  readonly body?: string;
  /** Absent when the caller got no answer: it may have been done all the same. */
  readonly answer?: { readonly at: number; readonly status: number; readonly body: string };
}

/** Where a webhook points to. No two clients have the same. */
interface TrueEndpoint {
  readonly url: string;
  readonly clientId: string;
  /** It lies, hangs or never answers: whether it received what it should is not asked. */
  readonly isHostile: boolean;
}

/** One call of an endpoint that arrived there. */
export interface Receipt {
  readonly at: number;
  readonly url: string;
  /** Header `webhook-id`. */
  readonly eventId: string;
  readonly body: string;
  /** What it answered; absent when the caller did not get it. */
  readonly status?: number;
}

/** A command of an operator that was answered. */
export interface Command {
  readonly at: number;
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
  readonly status: number;
  /** Header `X-Audit-Id`. */
  readonly auditId?: string;
}

/** All pages of a list of operators: the ids of what is on it. */
export interface TrueList {
  readonly at: number;
  readonly name: string;
  readonly ids: readonly string[];
}

/** All that a client was given of the feed, in that order, and the time up to which it has read it. */
export interface TrueFeed {
  readonly clientId: string;
  readonly events: readonly { readonly id: string }[];
  readonly completeTo: number;
}

/** Money that the payout service has paid for an operation. */
export interface Payout {
  readonly at: number;
  readonly operationId: string;
  readonly reference: string;
  /** The bank has sent it back, and the payout service has said so. */
  readonly isBack: boolean;
}

/** A line of level ERROR. */
export interface TrueError {
  readonly at: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An event of another service: `operation.status`, `client.status`, or one that clients are to be notified of. */
export interface Notice {
  readonly at: number;
  readonly source: string;
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
