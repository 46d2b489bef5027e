import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change, Transaction } from './change.ts';
import { type Kind, kindOf } from './kinds.ts';
import type { Ledger } from './ledger.ts';
import type { WrittenEvent } from './written-event.ts';

/** A transaction that was written, with the ledger after it. */
export interface Written {
  readonly transaction: Transaction;
  readonly ledger: Ledger;
  /** The events that it added. */
  readonly events: readonly WrittenEvent[];
  /** Milliseconds since 1970, by the world's clock. */
  readonly now: number;
  /** Milliseconds by which a function's clock may differ from it. */
  readonly skew: number;
  readonly shares: Shares;
  readonly terms: Terms;
}

/** The stage's terms of returns, by asset: the fee, and the greatest amount that one person may approve. */
export interface Terms {
  readonly fees: Readonly<Record<string, string>>;
  readonly onePersonUpTo: Readonly<Record<string, string>>;
}

/** The number of slots per owner, by purpose. */
export interface Shares {
  readonly first: Share;
  readonly retries: Share;
}

interface Share {
  readonly perClient: number;
  readonly perWebhook: number;
}

/** The change of one item that was not deleted. */
export interface Revision {
  readonly before: Item | undefined;
  readonly after: Item;
}

export function changesOf({ transaction }: Pick<Written, 'transaction'>, kind: Kind): readonly Change[] {
  return transaction.filter((change) => kindOf(change) === kind);
}
