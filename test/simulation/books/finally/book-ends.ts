import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { RAIL } from '#test/simulation/world/providers/rail.ts';
import { has, instant, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import type { PaymentPhase, TruePayment } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** A day of the payments book has the rail's totals, if the rail had not changed for a while before the run. */
export function checkBookEnds(aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  for (const pages of Map.groupBy(ledger.bookDays.values(), (page) => text(page, 'book')).values()) checkChain(pages);
  for (const page of ledger.bookDays.values()) {
    if (text(page, 'book') !== `payments of ${RAIL}`) continue;
    const [from, to, readAt] = [instant(page, 'from'), instant(page, 'to'), instant(page, 'runAt')];
    const madeAt = ({ phases }: TruePayment) => phases[0]?.at ?? 0;
    const made = truth.payments.filter(
      (one) => !one.isSilent && !one.isUnlisted && madeAt(one) >= from && madeAt(one) < to,
    );
    const changes = made.flatMap(({ phases, lostAt = 0 }) => [...phases.map(({ at }) => at), lostAt]);
    if (readAt < Math.max(truth.quietSince, ...changes) + LATE) continue;
    const left = made.filter(({ lostAt }) => lostAt === undefined);
    const paid = left.flatMap(({ phases }) => phases.at(-1) ?? []).filter(({ status }) => status === 'COMPLETED');
    const there = paid
      .filter(({ currency }) => currency === 'COP')
      .reduce((sum, one) => sum.plus(one.amount), new Big(0));
    const booked = text(page['sums']?.M?.['COP']?.M, 'in') || '0';
    must('a day of a book has what the rail had', there.eq(booked), { day: text(page, 'day'), there, booked });
    checkDifferences(page, left, aftermath);
  }
}

/** What only one side has, the rail or the service, is a difference; what both have is none. */
function checkDifferences(page: Item, made: readonly TruePayment[], { ledger, truth, skew }: Aftermath): void {
  const named = new Set((page['differences']?.L ?? []).map(({ M }) => text(M, 'id')));
  for (const { reference: id, phases } of made) {
    const payin = ledger.payins.get(id);
    // Of several payments with one reference, each is only a part of the pay-in's money.
    if (truth.payments.filter(({ reference }) => reference === id).length > 1) continue;
    if ((ledger.writtenAt.get(id) ?? 0) > instant(page, 'runAt') - LONGEST_CALL - skew) continue;
    const differs = isOtherwise(phases.at(-1), payin);
    const found = { day: text(page, 'day'), id, differs, status: text(payin, 'status') };
    must('a book of a rail names what differs', differs === named.has(id), found);
  }
}

function isOtherwise(phase: PaymentPhase | undefined, payin: Item | undefined): boolean {
  const isCompleted = text(payin, 'status') === 'COMPLETED';
  if (phase?.status !== 'COMPLETED') return isCompleted && !has(payin, 'reversedAt');
  if (payin === undefined || has(payin, 'mismatchedAt')) return true;
  const mismatch = payin['settlementMismatch']?.M;
  // Finance settles a payment that differs from the order.
  if (!isCompleted && mismatch === undefined) return true;
  const known = mismatch ?? payin;
  return phase.currency !== text(known, 'currency') || !new Big(phase.amount).eq(text(known, 'amount'));
}

/** No day is missing, and each day opens with the previous day's closing balance. */
function checkChain(pages: readonly Item[]): void {
  const ordered = pages.toSorted((one, other) => text(one, 'day').localeCompare(text(other, 'day')));
  for (const [place, page] of ordered.slice(1).entries()) {
    const before = ordered[place];
    const [day, openings] = [text(page, 'day'), page['openings']?.M];
    must('a day of a book begins where the day before ends', text(page, 'from') === text(before, 'to'), { day });
    // During a run the previous day may have been read later than this one.
    if (before?.['openings'] === undefined || openings === undefined || text(page, 'runAt') < text(before, 'runAt'))
      continue;
    for (const [asset, { M: line }] of Object.entries(before['sums']?.M ?? {})) {
      const signed = (['in', 'out', 'fees', 'adjusted'] as const).map((term) =>
        new Big(text(line, term) || 0).times(term === 'out' || term === 'fees' ? -1 : 1),
      );
      const closed = signed.reduce((sum, one) => sum.plus(one), new Big(text(before['openings'].M, asset) || 0));
      const opened = text(openings, asset) || '0';
      must('a day of a book opens with what was there', closed.eq(opened), { day, asset, closed, opened });
    }
  }
}
