import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';

/**
 * What really happened outside the service, for the books to hold the service against. The world writes it, the books only
 * read it. Instants are milliseconds since 1970; lists are in the order in which things happened.
 */
export interface Truth {
  readonly transfers: readonly TrueTransfer[];
  readonly payments: readonly TruePayment[];
  readonly calls: readonly TrueCall[];
  readonly endpoints: readonly TrueEndpoint[];
  readonly receipts: readonly Receipt[];
  /** What other services said on the bus; only entries that the bus has accepted. */
  readonly notices: readonly Notice[];
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
  readonly facts: Omit<CustodianTransfer, 'state' | 'confirmations'>;
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

/** What the rail has under a reference, which is the pay-in's id. */
export interface TruePayment {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  /** The payments that were made for it and can be paid: more than one asks for the money twice. */
  readonly payable: number;
  /** The rail never answers what is asked about it. */
  readonly isSilent: boolean;
  readonly phases: readonly { readonly at: number; readonly status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED' }[];
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

/** An event of another service: `operation.status`, `client.status`, or one that clients are to be notified of. */
export interface Notice {
  readonly at: number;
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
