import type { Custodian, CustodianTransfer, ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import type { FakeClock } from '#test/support/fake-clock.ts';

type State = CustodianTransfer['state'];

/** What the suite tries with each custodian, unless its fixture says why it is impossible. */
type Trial =
  | State
  | 'a tag'
  | 'a list'
  | 'a pause'
  | 'a wrong clock'
  | 'an empty answer'
  | 'an answer without an end'
  | 'sending'
  | 'a balance'
  | 'a failure after the hash';

/** An adapter, as the suite of all custodians needs it (docs/adding-a-custodian.md). */
export interface CustodianFixture {
  /** The name in the custodian's deployment. */
  readonly name: string;
  /** Trials that are impossible with this custodian, each with its reason. */
  readonly cannot: Readonly<Partial<Record<Trial, string>>>;
  /** A custodian for one test, without any transaction. */
  readonly start: (clock: FakeClock) => Promise<CustodianWorld>;
}

export type Adapter = { readonly name: string } & Pick<Custodian, 'findTransfers' | 'findTransfer' | 'listTransfers'>;

export type Sender = { readonly name: string } & Required<Pick<Custodian, 'send' | 'findSending' | 'findOutgoing'>>;

type Books = { readonly name: string } & Required<Pick<Custodian, 'listMovements'>> & Pick<Custodian, 'readBalances'>;

/** The end of an order: refused before it is accepted, or ended before or after it has a hash. */
type Ending = 'REFUSED' | 'COMPLETED' | 'FAILED' | 'FAILED_WITH_HASH';

interface SendingWorld {
  readonly sender: () => Sender;
  /** The same sender, for a server at this URL. */
  readonly at: (url: string) => Sender;
  /** The same sender, for a server that accepts the next order, but whose answer to it is lost. */
  readonly losing: (externalId: string) => Promise<Sender>;
  /** An order of 1.5, with this id. */
  readonly order: (externalId: string) => ReturnOrder;
  /** Ends the order in this way: at once if it was sent, otherwise when it is sent. */
  readonly end: (externalId: string, ending: Ending) => Promise<void>;
  readonly books: () => Books;
}

export interface Payment {
  /** The receivers, one for each transfer. */
  readonly to: readonly string[];
  readonly amount: string;
  /** Decimals of the token. */
  readonly decimals: number;
  readonly state: State;
  readonly tag?: string;
}

interface CustodianWorld {
  /** The adapter as a function creates it when it starts. */
  readonly adapter: () => Adapter;
  /** The same adapter, for a server at this URL. */
  readonly at: (url: string) => Adapter;
  /** The same adapter, for a server whose answers are changed: each as JSON, before it is written. */
  readonly changed: (change: (honest: unknown) => unknown) => Promise<Adapter>;
  /** Two addresses of the service. */
  readonly ours: readonly [string, string];
  /** Makes one transaction in this state. The transfers that are then found have the same network, hash and asset. */
  readonly pay: (payment: Payment) => Promise<Pick<CustodianTransfer, 'network' | 'txHash' | 'assetId'>>;
  /** Takes back a transaction that is not final. Absent if no transaction can be GONE. */
  readonly takeBack?: (txHash: string) => Promise<void>;
  /** Makes all transactions final that can be. */
  readonly finalise?: () => Promise<void>;
  /** Makes transactions that fill several pages of a list; returns their hashes in order. Absent without a list. */
  readonly fill?: () => Promise<readonly string[]>;
  /** Absent if the custodian cannot send. */
  readonly sending?: SendingWorld;
}
