import type { Custodian, CustodianTransfer, ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import type { FakeClock } from '#test/support/fake-clock.ts';

type State = CustodianTransfer['state'];

/** What the suite tries with each custodian, unless its fixture says why that cannot be. */
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
  /** Of its deployment. */
  readonly name: string;
  /** What there cannot be at this custodian, each with its reason. */
  readonly cannot: Readonly<Partial<Record<Trial, string>>>;
  /** A custodian for one test, without any transaction. */
  readonly start: (clock: FakeClock) => Promise<CustodianWorld>;
}

export type Adapter = { readonly name: string } & Pick<Custodian, 'findTransfers' | 'findTransfer' | 'listTransfers'>;

export type Sender = { readonly name: string } & Required<Pick<Custodian, 'send' | 'findSending' | 'findOutgoing'>>;

type Books = { readonly name: string } & Required<Pick<Custodian, 'listMovements'>> & Pick<Custodian, 'readBalances'>;

/** What becomes of an order: refused before it is taken; ended before it has a hash, or after. */
type Ending = 'REFUSED' | 'COMPLETED' | 'FAILED' | 'FAILED_WITH_HASH';

interface SendingWorld {
  readonly sender: () => Sender;
  /** The same, of a server at this URL. */
  readonly at: (url: string) => Sender;
  /** The same, of a server that takes the next order, and whose answer to it is lost. */
  readonly losing: (externalId: string) => Promise<Sender>;
  /** An order of 1.5, with this id. */
  readonly order: (externalId: string) => ReturnOrder;
  /** Ends it so: at once when it was sent, else when it is. */
  readonly end: (externalId: string, ending: Ending) => Promise<void>;
  readonly books: () => Books;
}

export interface Payment {
  /** One transfer for each of these. */
  readonly to: readonly string[];
  readonly amount: string;
  /** Of the token. */
  readonly decimals: number;
  readonly state: State;
  readonly tag?: string;
}

interface CustodianWorld {
  /** As a function makes it when it starts. */
  readonly adapter: () => Adapter;
  /** The same, of a server at this URL. */
  readonly at: (url: string) => Adapter;
  /** The same, of a server whose answers are changed: each as JSON, before it is written. */
  readonly changed: (change: (honest: unknown) => unknown) => Promise<Adapter>;
  /** Two addresses of ours. */
  readonly ours: readonly [string, string];
  /** One transaction in this state; what is then found has the same network, hash and asset. */
  readonly pay: (payment: Payment) => Promise<Pick<CustodianTransfer, 'network' | 'txHash' | 'assetId'>>;
  /** Takes back a transaction that is not final; unless it cannot be GONE. */
  readonly takeBack?: (txHash: string) => Promise<void>;
  /** Makes final whatever can be. */
  readonly finalise?: () => Promise<void>;
  /** Puts as many transactions as fill several pages of a list, in this order; unless it cannot list. */
  readonly fill?: () => Promise<readonly string[]>;
  /** Unless it cannot send. */
  readonly sending?: SendingWorld;
}
