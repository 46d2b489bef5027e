import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change, Transaction } from './change.ts';
import { type Kind, kindOf } from './kinds.ts';
import type { Ledger } from './ledger.ts';
import type { WrittenEvent } from './written-event.ts';

/** One transaction that was written, and the ledger with it. */
export interface Written {
  readonly transaction: Transaction;
  readonly ledger: Ledger;
  /** Events that it added. */
  readonly events: readonly WrittenEvent[];
  /** Milliseconds since 1970, by the clock of the world. */
  readonly now: number;
  /** Milliseconds by which the clock of a function may differ from that. */
  readonly skew: number;
  readonly shares: Shares;
  readonly terms: Terms;
}

/** What the stage says of returns, by asset: its fees, and up to which amount one person is enough. */
export interface Terms {
  readonly fees: Readonly<Record<string, string>>;
  readonly onePersonUpTo: Readonly<Record<string, string>>;
}

/** How many slots an owner has, by what they are for. */
export interface Shares {
  readonly first: Share;
  readonly retries: Share;
}

interface Share {
  readonly perClient: number;
  readonly perWebhook: number;
}

/** What one transaction made of one item that it left there. */
export interface Revision {
  readonly before: Item | undefined;
  readonly after: Item;
}

export function changesOf({ transaction }: Pick<Written, 'transaction'>, kind: Kind): readonly Change[] {
  return transaction.filter((change) => kindOf(change) === kind);
}
