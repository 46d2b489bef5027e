import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { has, instant, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import type { TrueError } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Milliseconds after which a difference is logged as an error. */
const OLD = 24 * 3600_000;

const sayTheSame = ['book', 'kind', 'id', 'what'] as const;

/** Explained differences alert nobody, unexplained ones do; an explained balance is booked once. */
export function checkExplainedEnds(aftermath: Aftermath): void {
  const { ledger, truth, now } = aftermath;
  const calls = truth.errors.filter(({ code }) => code === 'BOOKS_DO_NOT_BALANCE');
  for (const page of ledger.bookDays.values()) {
    if (instant(page, 'runAt') > now - LATE) continue;
    checkCall(page, calls, aftermath);
    checkAdjusted(page, aftermath);
  }
}

/** True if the explanation was written around the page's run, which may have read it or not. */
const isAbout = (item: Item, page: Item, skew: number) =>
  Math.abs(instant(item, 'explainedAt') - instant(page, 'runAt')) < LONGEST_CALL + skew;

function checkCall(page: Item, calls: readonly TrueError[], { ledger, skew }: Aftermath): void {
  const [book, day, runAt] = [text(page, 'book'), text(page, 'day'), instant(page, 'runAt')];
  const ofPage = [...ledger.explanations.values()].filter(
    (one) => text(one, 'book') === book && text(one, 'day') === day,
  );
  const differences = (page['differences']?.L ?? []).flatMap(({ M }) =>
    M === undefined ? [] : [{ ...M, book: { S: book } }],
  );
  const isExplained = (difference: Item) =>
    ofPage.some(
      (one) =>
        !has(one, 'amount') &&
        instant(one, 'explainedAt') < runAt &&
        sayTheSame.every((name) => text(one, name) === text(difference, name)),
    );
  const aged = differences.map((one) => ({ one, age: runAt - instant(one, 'since') }));
  // A difference that turns a day old during the run may be logged or not.
  if (
    ofPage.some((one) => isAbout(one, page, skew)) ||
    aged.some(({ age }) => Math.abs(age - OLD) < LONGEST_CALL + skew)
  )
    return;
  const old = aged.filter(({ one, age }) => age >= OLD && !isExplained(one));
  const called = calls.filter(
    ({ at, fields }) => at >= runAt - skew && fields['book'] === book && fields['day'] === day,
  );
  const found = { day, book, old: old.map(({ one }) => text(one, 'id')), calls: called.length };
  must('what nobody has explained of a book calls somebody', old.length === 0 || called.length > 0, found);
  must('what is explained of a book calls nobody', old.length > 0 || called.length === 0, found);
}

function checkAdjusted(page: Item, { ledger, skew }: Aftermath): void {
  const [book, day] = [text(page, 'book'), text(page, 'day')];
  const booked = [...ledger.explanations.values()].filter(
    (one) => text(one, 'book') === book && text(one, 'day') === day && has(one, 'amount'),
  );
  for (const [asset, all] of Map.groupBy(booked, (one) => text(one, 'id'))) {
    if (all.some((one) => isAbout(one, page, skew) || instant(one, 'explainedAt') > instant(page, 'runAt'))) continue;
    const explained = all.reduce((sum, one) => sum.plus(text(one, 'amount')), new Big(0));
    const adjusted = text(page['sums']?.M?.[asset]?.M, 'adjusted') || '0';
    must('what is explained of a balance is booked once', explained.eq(adjusted), { day, asset, explained, adjusted });
  }
}
