import type { ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import type { Transaction } from './change.ts';
import { checkAfterRestore } from './finally/after-restore.ts';
import { checkFinally } from './finally/check-finally.ts';
import { createLedger } from './ledger.ts';
import { checkOrder } from './on-order.ts';
import { checkWrite } from './on-write/check-write.ts';
import type { Remains } from './remains.ts';
import { createRequestCounts } from './request-counts.ts';
import type { Truth } from './truth.ts';
import type { Shares, Terms } from './written.ts';
import { idOfEvent } from './written-event.ts';

export interface BooksSettings {
  /** Milliseconds since 1970, by the world's clock. */
  readonly now: () => number;
  /** Milliseconds by which a function's clock may differ from it. */
  readonly skew: number;
  readonly shares: Shares;
  readonly terms: Terms;
}

/**
 * The books of the service: rules that hold at all times, read from its tables without its code. They follow each write
 * and check what it can break.
 */
export function createBooks({ now, skew, shares, terms }: BooksSettings) {
  let ledger = createLedger();
  let writtenOff: Set<string> | undefined;
  const requests = createRequestCounts();
  return {
    get ledger() {
      return ledger;
    },

    /** Must be called with each request to the tables, done or refused. */
    onRequest: requests.count,

    /**
     * Must be called once for every request that wrote something, with all its changes.
     *
     * @throws {Violation} which ends the round; it must not reach the function that wrote.
     */
    onTransaction(transaction: Transaction): void {
      for (const change of transaction) ledger.apply(change, now());
      // Rules on a write need the item's history, which a restore cuts off.
      if (writtenOff !== undefined) return;
      const events = transaction.flatMap(({ table, before, after }) =>
        table === 'events' && before === undefined ? (ledger.events.get(idOfEvent(after)) ?? []) : [],
      );
      checkWrite({ transaction, ledger, events, now: now(), skew, shares, terms });
    },

    /** Must be called once after tables were restored to an earlier time, with all items that exist now. */
    restored(items: Transaction): void {
      ledger = createLedger();
      writtenOff = new Set();
      for (const change of items) ledger.apply(change, now());
    },

    /** After a restore: people know that the deposit was sent back, and that nobody can request its return again. */
    writeOff: (custodianTransferId: string): void => void writtenOff?.add(custodianTransferId),

    /**
     * Must be called with each order to send money, before the custodian takes it.
     *
     * @throws {Violation}
     */
    onOrder(order: ReturnOrder, truth: Truth): void {
      checkOrder({ order, ledger, truth, now: now(), skew });
    },

    /**
     * Must be called once at the end of the round, when the service has had time to finish its work.
     *
     * @throws {Violation}
     */
    checkFinally(truth: Truth, remains: Remains): void {
      const aftermath = { ledger, requests, truth, remains, now: now(), skew };
      if (writtenOff === undefined) checkFinally(aftermath);
      else checkAfterRestore({ ...aftermath, writtenOff });
    },
  };
}
