import { Big } from 'big.js';
import { RAIL } from '#test/simulation/world/providers/rail.ts';
import { instant, text } from '../items.ts';
import type { TruePayment } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** A day of the book of payments has what the rail had of it, once nothing has changed for a while before it was read. */
export function checkBookEnds({ ledger, truth }: Aftermath): void {
  for (const page of ledger.bookDays.values()) {
    if (text(page, 'book') !== `payments of ${RAIL}`) continue;
    const [from, to, readAt] = [instant(page, 'from'), instant(page, 'to'), instant(page, 'runAt')];
    const madeAt = ({ phases }: TruePayment) => phases[0]?.at ?? 0;
    const made = truth.payments.filter((one) => !one.isSilent && madeAt(one) >= from && madeAt(one) < to);
    const since = Math.max(truth.quietSince, ...made.flatMap(({ phases }) => phases.map(({ at }) => at)));
    if (readAt < since + LATE) continue;
    const paid = made.flatMap(({ phases }) => phases.at(-1) ?? []).filter(({ status }) => status === 'COMPLETED');
    const there = paid
      .filter(({ currency }) => currency === 'COP')
      .reduce((sum, one) => sum.plus(one.amount), new Big(0));
    const booked = text(page['sums']?.M?.['COP']?.M, 'in') || '0';
    must('a day of a book has what the rail had', there.eq(booked), { day: text(page, 'day'), there, booked });
  }
}
