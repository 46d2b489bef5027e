import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ListMovements } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, transferAttributes } from '#shared/off-ramps/model/deposit.ts';
import { custodianListContract, reportMovementsContract } from '#shared/operators/book-contracts.ts';
import { bookDay } from '#shared/platform/books/book.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { blocksIn, textOf } from '#test/support/markdown.ts';
import { HASH, onEveryNetwork, transfer } from '#test/support/off-ramp.ts';
import { opsWorld } from '#test/support/ops-world.ts';

const DAY = '2026-07-31';
const NOON = `${DAY}T12:00:00.000Z`;
const USDC = 'USDC_ETH';
const BOOK = 'deposits of fireblocks';
const vault = { type: 'VAULT_ACCOUNT', id: '7' };
const outside = { type: 'UNKNOWN' };

/** A transaction as Fireblocks lists it. */
const listed = (id: string, amount: string, differences: object = {}) => ({
  ...{ id, assetId: USDC, status: 'COMPLETED', amountInfo: { amount }, source: outside, destination: vault },
  ...differences,
});

/** What operators and auditors see of a custodian's list and our tables. */
function world(records: readonly object[] = []) {
  const asked: Parameters<ListMovements>[0][] = [];
  const listMovements: ListMovements = async (query) => {
    asked.push(query);
    const start = Number(query.cursor ?? 0);
    const answer = `${JSON.stringify(records.slice(start, start + 4))}\n`;
    return { incoming: [], outgoing: [], answer, cursor: start + 4 < records.length ? String(start + 4) : undefined };
  };
  const made = opsWorld('2026-08-01T12:00:00.000Z', onEveryNetwork({ name: 'fireblocks', listMovements }));
  const books = createBooks(made.dynamo, 'books', made.clock);
  const deposit = (id: string, amount: string, ours: Partial<Deposit> = {}, createdAt = NOON) => {
    const one = transfer({ custodianTransferId: `fireblocks:${id}`, amount, assetId: USDC, createdAt });
    const { custodianTransferId, network, txHash } = one;
    const times = { firstNotifiedAt: createdAt, lastNotifiedAt: createdAt };
    made
      .table('deposits')
      .put({ custodianTransferId, network, txHash, ...times, ...transferAttributes(one), creditedAt: NOON, ...ours });
  };
  const sent = (id: string, amount: string, term: string) =>
    books.saveLine('OUT', NOON, `fireblocks:${id}`, { network: 'ETHEREUM', txHash: HASH, assetId: USDC, amount, term });
  const done = async (...typed: readonly string[]) => {
    const { status, printed, said, secretFiles } = await made.ops(typed);
    expect([status, said]).toEqual([0, expect.not.stringContaining('Error')]);
    return { printed, said, files: secretFiles };
  };
  return { ...made, books, deposit, sent, done, asked };
}

const page = {
  ...{ book: BOOK, day: DAY, from: `${DAY}T00:00:00.000Z`, to: '2026-08-01T00:00:00.000Z', runAt: NOON },
  openings: { [USDC]: '10', IDLE: '3' },
  sums: { [USDC]: { in: '7', credited: '7', out: '2', sweeps: '2', fees: '0.5', arriving: '9', leaving: '1' } },
  differences: [{ kind: 'MONEY_WENT_OUT' as const, id: 'fireblocks:x', what: 'It went out.', since: NOON }],
  differenceCount: 1,
};

describe('decisions 9, books: operators', () => {
  test('see a day, by default yesterday: opening, in, out, fees, closing, where it stands, and differences by id', async () => {
    const { books, done } = world();
    await books.saveRun({ name: BOOK, begunOn: DAY, nextRunAt: NOON, version: 0 });
    await books.saveDay(bookDay.parse(page));
    const answer = JSON.parse((await done('books', '--json')).printed);
    expect(answer).toMatchObject({
      day: DAY,
      zone: 'UTC',
      books: [{ book: BOOK, state: 'OPEN', differences: 1 }],
      lines: [
        { book: BOOK, asset: 'IDLE', opening: '3', closing: '3' },
        { book: BOOK, asset: USDC, opening: '10', closing: '14.5', ...page.sums[USDC] },
      ],
      differences: [{ book: BOOK, kind: 'MONEY_WENT_OUT', id: 'fireblocks:x' }],
    });
    const { printed } = await done('books', '--day', DAY);
    expect(printed).toContain('14.5');
  });

  test('see without a day the current difference from the balance, which is on the page of the day of the last run', async () => {
    const { books, done } = world();
    const differs = { kind: 'BALANCE_DIFFERS', id: USDC, what: 'It has 5 more.', since: NOON };
    await books.saveRun({ name: BOOK, begunOn: DAY, nextRunAt: NOON, version: 0, unbalanced: [differs] });
    await books.saveDay(bookDay.parse(page));
    const seen = async (...typed: readonly string[]) =>
      JSON.parse((await done('books', '--json', ...typed)).printed).differences.map(
        ({ kind }: { readonly kind: string }) => kind,
      );
    expect(await seen()).toEqual(['BALANCE_DIFFERS', 'MONEY_WENT_OUT']);
    expect(await seen('--day', DAY)).toEqual(['MONEY_WENT_OUT']);
    // The run of today has not come yet.
    await books.saveDay(bookDay.parse({ ...page, differences: [differs] }));
    expect(await seen()).toEqual(['BALANCE_DIFFERS']);
  });

  test('have them run again now, under audit; a run that is under way goes on, and another one follows', async () => {
    const { books, done, ops, table } = world();
    const later = '2026-08-02T01:00:00.000Z';
    await books.saveRun({ name: BOOK, begunOn: DAY, nextRunAt: later, version: 0 });
    const { runAt: _, ...rest } = page;
    const underWay = { ...rest, lastDay: DAY, differences: [], openings: {} };
    await books.saveRun({ name: 'payments of wompi', begunOn: DAY, nextRunAt: later, underWay, version: 0 });
    await done('run-books', 'all', '--reason', 'Audit of July', '--json');
    expect((await ops(['run-books', 'deposits', '--reason', 'Audit of July'])).said).toContain(BOOK);
    expect(await books.listRuns()).toMatchObject([
      { name: BOOK, nextRunAt: later, asked: 1 },
      { name: 'payments of wompi', nextRunAt: later, underWay: { day: DAY }, asked: 1 },
    ]);
    await done('run-books', BOOK, '--reason', 'Audit of July');
    expect(table('audit').items()).toHaveLength(6);
    expect(table('audit').items()).toContainEqual(expect.objectContaining({ ids: { book: BOOK } }));
  });

  test('export every movement of the day once, oldest first, without addresses, on whatever number of pages', async () => {
    const { books, deposit, sent, done } = world();
    await books.saveRun({ name: BOOK, begunOn: DAY, nextRunAt: NOON, version: 0 });
    const at = (number: number) => new Date(Date.parse(NOON) + number * 1000).toISOString();
    for (let number = 0; number < 1001; number += 1) deposit(`in-${number}`, '1', {}, at(number - 500));
    deposit('tomorrow', '1', {}, '2026-08-01T00:00:00.000Z');
    await sent('out-1', '2', 'sweeps');
    const { files } = await done('books', '--day', DAY, '--export', 'movements.csv');
    const [head = '', ...lines] = (files.get('movements.csv') ?? '').trimEnd().split('\r\n');
    expect(head).toBe('createdAt,direction,id,network,txHash,assetId,amount,term,deposit,operationId,clientId,day');
    expect(lines).toHaveLength(1002);
    expect(new Set(lines.map((line) => line.split(',')[2])).size).toBe(1002);
    expect(lines.toSorted()).toEqual(lines);
    expect(lines.join()).not.toMatch(/a1a1|b2b2/);
  });

  test('export more movements of one millisecond than a page has lines, and those that follow', async () => {
    const { books, deposit, sent, done } = world();
    await books.saveRun({ name: BOOK, begunOn: DAY, nextRunAt: NOON, version: 0 });
    for (let number = 0; number < 600; number += 1) await sent(`out-${number}`, '1', 'sweeps');
    deposit('in-1', '1', {}, NOON);
    deposit('in-2', '1', {}, `${DAY}T12:00:00.001Z`);
    const { files } = await done('books', '--day', DAY, '--export', 'movements.csv');
    const [, ...lines] = (files.get('movements.csv') ?? '').trimEnd().split('\r\n');
    expect(lines).toHaveLength(602);
    expect(new Set(lines.map((line) => line.split(',')[2])).size).toBe(602);
  });

  test.each([`${DAY}T23:59:59.999Z`, '2026-08-01T00:00:00.000Z'])('export none after the cursor %s', async (cursor) => {
    const { sent, look } = world();
    await sent('out-1', '1', 'sweeps');
    const query = { from: DAY, zone: 'Asia/Tokyo', cursor };
    const { status, body } = await look(reportMovementsContract, query);
    expect([status, body.items]).toEqual([200, []]);
  });

  test('sum up as unmatched no deposit that has failed on its chain since', async () => {
    const { deposit, done } = world();
    const times = { creditedAt: undefined, firstUnmatchedAt: NOON };
    deposit('there', '5', { ...times, unmatched: 'UNMATCHED', unmatchedSince: NOON });
    for (const state of ['FAILED', 'GONE'] as const) {
      const { transfer: kept } = transferAttributes(transfer({ amount: '70', assetId: USDC, state }));
      deposit(state, '70', { ...times, transfer: kept });
    }
    const { totals } = JSON.parse((await done('report-movements', '--from', DAY, '--json')).printed);
    expect(totals).toEqual([
      { day: DAY, assetId: USDC, direction: 'in', term: '', count: 2, amount: '140' },
      { day: DAY, assetId: USDC, direction: 'in', term: 'unmatched', count: 1, amount: '5' },
    ]);
  });

  test("get a custodian's own bytes of a day, to the end of its cursor, with their digest", async () => {
    const records = Array.from({ length: 9 }, (_, number) => listed(`tx-${number}`, '1'));
    const { done, asked, ops } = world(records);
    const { files, said } = await done('custodian-list', '--day', DAY, '--to', 'list.jsonl');
    const pages = (files.get('list.jsonl') ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(pages.flatMap(({ answer }) => JSON.parse(answer))).toEqual(records);
    for (const { answer, sha256 } of pages) expect(createHash('sha256').update(answer).digest('hex')).toBe(sha256);
    expect(said).toContain('3 pages are in list.jsonl.');
    expect(asked[0]).toMatchObject({ createdSince: `${DAY}T00:00:00.000Z`, until: `${DAY}T23:59:59.999Z` });
    const other = await ops(['custodian-list', '--custodian', 'evm']);
    expect([other.status, other.said]).toEqual([1, expect.stringContaining('At this stage: fireblocks.')]);
    expect(custodianListContract.method).toBe('GET');
  });
});

/** The page's script, run on both files. */
async function audit(files: ReadonlyMap<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [script = ''] = blocksIn(textOf('docs/auditing.md'), 'python');
  for (const [name, text] of [...files, ['audit.py', script] as const]) writeFileSync(join(folder, name), text);
  const ran = promisify(execFile)('python3', ['audit.py', 'list.jsonl', 'movements.csv'], { cwd: folder });
  const { stdout, stderr, code = 0 } = await ran.catch((error: unknown) => Object(error));
  return { status: Number(code), lines: String(stdout).trimEnd().split('\n'), stderr: String(stderr) };
}

describe('docs/auditing.md: the script compares both files offline', () => {
  async function exported(records: readonly object[], keep: (made: ReturnType<typeof world>) => unknown) {
    const made = world(records);
    await made.books.saveRun({ name: BOOK, begunOn: DAY, nextRunAt: NOON, version: 0 });
    await keep(made);
    const { files: list } = await made.done('custodian-list', '--day', DAY, '--to', 'list.jsonl');
    const { files } = await made.done('books', '--day', DAY, '--export', 'movements.csv');
    return new Map([...list, ...files]);
  }
  const outgoing = { source: vault, destination: outside };

  test('names each line of both, and adds up what agrees', async () => {
    const several = [
      { assetId: USDC, netAmount: '1', destination: vault, source: outside },
      { assetId: USDC, netAmount: '2', destination: vault, source: outside },
      { assetId: USDC, netAmount: '9', destination: vault, source: outside, isDropped: true },
    ];
    const records = [
      listed('a', '100.50'),
      listed('b', '3', { networkRecords: several }),
      listed('c', '2', outgoing),
      listed('d', '5', { status: 'CONFIRMING' }),
      listed('e', '4', { ...outgoing, amountInfo: { amount: '4', netAmount: '3.9' } }),
    ];
    const files = await exported(records, async ({ deposit, sent }) => {
      await sent('e', '3.9', 'sweeps');
      deposit('a', '100.5');
      deposit('b', '2');
      deposit('b#1234567890abcdef.0', '1', { creditedAt: undefined, firstUnmatchedAt: NOON });
      deposit('d', '5', { creditedAt: undefined });
      await sent('c', '2', 'sweeps');
    });
    const { status, lines } = await audit(files);
    expect(lines.toSorted()).toEqual([
      'Each line is explained.',
      `OK fireblocks:a in 100.5 ${USDC} credited`,
      `OK fireblocks:b in 2 ${USDC} credited`,
      `OK fireblocks:b#1234567890abcdef.0 in 1 ${USDC} unmatched`,
      `OK fireblocks:c out 2 ${USDC} sweeps`,
      `OK fireblocks:d in 5 ${USDC} undecided`,
      `OK fireblocks:e out 3.9 ${USDC} sweeps`,
      `SUM in ${USDC} credited 102.5`,
      `SUM in ${USDC} undecided 5`,
      `SUM in ${USDC} unmatched 1`,
      `SUM out ${USDC} sweeps 5.9`,
    ]);
    expect(status).toBe(0);
  });

  test('names each inserted difference, and counts nothing twice', async () => {
    const records = [
      listed('differs', '7'),
      listed('twice', '1'),
      listed('twice', '1'),
      listed('missing', '4'),
      listed('stolen', '6', outgoing),
      listed('early', '8', { status: 'CONFIRMING' }),
      listed('unrecorded', '9', outgoing),
    ];
    const files = await exported(records, async ({ deposit, sent }) => {
      deposit('differs', '7.1');
      deposit('twice', '1');
      deposit('invented', '3');
      deposit('early', '8');
      await sent('stolen', '6', 'unknown');
    });
    const csv = files.get('movements.csv') ?? '';
    const doubled = csv.split('\r\n').find((line) => line.includes('fireblocks:twice'));
    const { status, lines } = await audit(new Map([...files, ['movements.csv', `${csv}${doubled}\r\n`]]));
    expect(lines.toSorted()).toEqual([
      '8 lines are not.',
      `DIFFERS fireblocks:differs in 7.1 ${USDC} credited the list has 7 ${USDC}`,
      `NOT FINAL fireblocks:early in 8 ${USDC} credited`,
      `NOT IN THE BOOKS missing in 4 ${USDC}`,
      `NOT IN THE BOOKS unrecorded out 9 ${USDC}`,
      `NOT IN THE LIST fireblocks:invented in 3 ${USDC} credited`,
      `OK fireblocks:twice in 1 ${USDC} credited`,
      `SUM in ${USDC} credited 1`,
      'TWICE IN THE BOOKS fireblocks:twice',
      'TWICE IN THE LIST twice',
      `UNEXPLAINED fireblocks:stolen out 6 ${USDC} unknown`,
    ]);
    expect(status).toBe(1);
  });

  test('refuses a list that was changed', async () => {
    const files = await exported([listed('a', '1')], ({ deposit }) => deposit('a', '1'));
    const changed = (files.get('list.jsonl') ?? '').replace('COMPLETED', 'CANCELLED');
    const { status, stderr } = await audit(new Map([...files, ['list.jsonl', changed]]));
    expect([status, stderr]).toEqual([1, expect.stringContaining('Page 1 of list.jsonl was changed')]);
  });

  test('refuses a list without a page, which would explain each line', async () => {
    const files = await exported([listed('a', '1')], ({ deposit }) => deposit('a', '1'));
    const { status, stderr } = await audit(new Map([...files, ['list.jsonl', '']]));
    expect([status, stderr]).toEqual([1, expect.stringContaining('list.jsonl has no page')]);
  });
});
