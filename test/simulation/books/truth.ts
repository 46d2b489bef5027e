import type { CustodianTransfer, ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import type { Sending } from '#shared/off-ramps/custodians/outgoing.ts';

/**
 * What really happened outside of the service, to check the service against. The world writes it, the books only read
 * it. Instants are milliseconds since 1970; lists are in chronological order.
 */
export interface Truth {
  readonly transfers: readonly TrueTransfer[];
  /** Money that left the stage's accounts, or was ordered to. */
  readonly sendings: readonly TrueSending[];
  readonly payments: readonly TruePayment[];
  readonly calls: readonly TrueCall[];
  readonly endpoints: readonly TrueEndpoint[];
  readonly receipts: readonly Receipt[];
  /** Notices of other services that the bus has accepted. */
  readonly notices: readonly Notice[];
  /** Commands of operators that change something. */
  readonly commands: readonly Command[];
  /** Operators' lists, as read at the end. */
  readonly lists: readonly TrueList[];
  /** The feeds that clients have read. */
  readonly feeds: readonly TrueFeed[];
  /** The payouts that the payout service has made. */
  readonly payouts: readonly Payout[];
  /** Log lines of the service that alert a person. */
  readonly errors: readonly TrueError[];
  /** True if nothing has failed in this round; only reads and indexes lagged. */
  readonly isQuiet: boolean;
  /** The number of look-ups at the custodian, by hash. */
  readonly custodianCalls: ReadonlyMap<string, number>;
  /** The number of orders and look-ups at the rail, by reference. */
  readonly railCalls: ReadonlyMap<string, number>;
  /** Clients that break rules on purpose. Checks do not ask for what nobody owes them. */
  readonly hostileClients: ReadonlySet<string>;
  /** Networks for which the settings name accounts of the owner. */
  readonly routed: ReadonlySet<string>;
  /** When the last act and the last outage were over; from then on only the service works. */
  readonly quietSince: number;
}

/** A transfer on the chain, as the custodian knows it. */
export interface TrueTransfer {
  readonly facts: Omit<CustodianTransfer, 'state' | 'confirmations' | 'createdAt'>;
  /** The first phase is when the custodian learns of the transfer. An outage is no phase. */
  readonly phases: readonly TruePhase[];
  /** When the service accepted the custodian's notifications of it. */
  readonly notifiedAt: readonly number[];
}

interface TruePhase extends Pick<CustodianTransfer, 'state' | 'confirmations'> {
  readonly at: number;
  /** True while the custodian reports an amount that differs from the one sent. */
  readonly isMisread?: boolean;
}

/** Money that a custodian was told to send, or that a person sent, with its phases. */
export interface TrueSending {
  /** The deposit that it returns; empty if nobody ordered it. */
  readonly depositId: string;
  /** Absent if a person sent it. */
  readonly externalId?: string;
  /** The movement that it replaces, with the same nonce: at most one of the two arrives. */
  readonly boosts?: string;
  readonly order: Omit<ReturnOrder, 'externalId'>;
  readonly movementId: string;
  readonly takenAt: number;
  readonly phases: readonly SendingPhase[];
  /** The network's fee, once the network has the transaction for good. */
  readonly fee: { readonly assetId: string; readonly amount: string };
}

/** The money has left while the state is COMPLETED. */
export interface SendingPhase extends Pick<Sending, 'state' | 'txHash' | 'mayStillArrive'> {
  readonly at: number;
}

/** What the rail reports of a payment from a time on. */
export interface PaymentPhase {
  readonly at: number;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** The amount to pay; once completed, the amount paid. */
  readonly amount: string;
  readonly currency: string;
}

/** The rail's record of a reference, which is the pay-in's id. */
export interface TruePayment {
  readonly reference: string;
  /** Payments that were made for it and can be paid: 2 asks for the money twice, 0 if nobody ordered it. */
  readonly payable: number;
  /** The rail never answers questions about it. */
  readonly isSilent: boolean;
  /** The rail's list lacks it. */
  readonly isUnlisted: boolean;
  /** When the rail has lost it: it no longer answers or lists it. */
  readonly lostAt?: number;
  readonly phases: readonly PaymentPhase[];
  /** When the service accepted the rail's notifications of it. */
  readonly notifiedAt: readonly number[];
}

/** A client's request to the gateway, with its answer. */
export interface TrueCall {
  /** The client of the token; a hostile caller without a token has an id that no client has. */
  readonly clientId: string;
  readonly at: number;
  readonly method: string;
  /** With the ids, without the query. */
  readonly path: string;
  readonly query?: string;
  readonly idempotencyKey?: string;
  readonly body?: string;
  /** Absent if the caller got no answer; the call may have been processed all the same. */
  readonly answer?: { readonly at: number; readonly status: number; readonly body: string };
}

/** The target of a webhook. No two clients share one. */
interface TrueEndpoint {
  readonly url: string;
  readonly clientId: string;
  /** True if it lies, hangs or never answers: its receipts are not checked for completeness. */
  readonly isHostile: boolean;
}

/** A call that reached an endpoint. */
export interface Receipt {
  readonly at: number;
  readonly url: string;
  /** Header `webhook-id`. */
  readonly eventId: string;
  readonly body: string;
  /** The endpoint's answer; absent if the caller did not get it. */
  readonly status?: number;
}

/** An operator's command that was answered. */
export interface Command {
  readonly at: number;
  readonly name: string;
  readonly input: Readonly<Record<string, string | true>>;
  readonly status: number;
  /** Header `X-Audit-Id`. */
  readonly auditId?: string;
}

/** All pages of an operators' list: the ids on it. */
export interface TrueList {
  readonly at: number;
  readonly name: string;
  readonly ids: readonly string[];
}

/** Everything that a client got from the feed, in order, and the time up to which it has read the feed. */
export interface TrueFeed {
  readonly clientId: string;
  readonly events: readonly { readonly id: string }[];
  readonly completeTo: number;
}

/** A payout for an operation. */
export interface Payout {
  readonly at: number;
  readonly operationId: string;
  readonly reference: string;
  /** True if the bank has returned it, and the payout service has reported so. */
  readonly isBack: boolean;
}

/** A log line of level ERROR. */
export interface TrueError {
  readonly at: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Another service's event: `operation.status`, `client.status`, or one to pass on to clients. */
export interface Notice {
  readonly at: number;
  readonly source: string;
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
