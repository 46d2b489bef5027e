import { Big } from 'big.js';
import type * as z from 'zod/mini';
import { readBooksContract } from '#shared/operators/book-contracts.ts';
import { dayIn } from '#shared/platform/time-zone.ts';
import { MINUTE } from '#test/simulation/world/script/moments.ts';
import type { Desk } from './desk.ts';

type Difference = z.infer<typeof readBooksContract.success.body>['differences'][number];

/** Milliseconds: a run begins within a minute, and takes a few. */
const RUN_TAKES = 5 * MINUTE;

/** A person has the books run, and proposes explanations of the differences of today and of yesterday. */
export async function explainDifferences(desk: Desk): Promise<void> {
  const { operator, outside } = desk;
  const { random, schedule } = outside.host;
  if (random.chance(0.5)) await desk.change('run-books', { book: 'all' });
  await schedule.clock.sleep(RUN_TAKES);
  const yesterday = readBooksContract.success.body.safeParse(await operator.read('books')).data;
  if (yesterday === undefined) return;
  const today = dayIn(yesterday.zone)(schedule.clock.now());
  const page = readBooksContract.success.body.safeParse(await operator.read(`books?day=${today}`)).data;
  const found = [yesterday, ...(page === undefined ? [] : [page])].flatMap(({ day, differences }) =>
    differences.flatMap((one) => (one.explained === undefined ? [{ day, one }] : [])),
  );
  for (const { day, one } of found) if (random.chance(0.6)) await propose(desk, day, one);
}

/** Proposes an explanation. It is refused if the difference was explained or has changed meanwhile. */
async function propose(desk: Desk, day: string, { book, kind, id, what }: Difference): Promise<void> {
  if (kind === 'BOOK_NOT_OPENED') return;
  const [, has = '0', booked = '0'] = /has (\S+), and .* it is (\S+)\.$/.exec(what) ?? [];
  const amount = new Big(kind === 'BALANCE_DIFFERS' ? has : 0).minus(kind === 'BALANCE_DIFFERS' ? booked : 0);
  const of = kind === 'BALANCE_DIFFERS' ? { amount: amount.toFixed() } : { day };
  if (desk.act.isWrong && kind === 'BALANCE_DIFFERS') await desk.refused('explain-difference', { book, kind, id, day });
  if (desk.act.isImpatient) void desk.change('explain-difference', { book, kind, id, ...of });
  await desk.change('explain-difference', { book, kind, id, ...of });
}
