import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { declaredErrors, errorCodes } from '#infra/api/openapi/declared-errors.ts';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { simulatedMinimums } from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { depositReasons, depositStatuses } from '#shared/off-ramps/model/deposit.ts';
import { hashStatuses, mayBecome, operationStatuses } from '#shared/off-ramps/model/off-ramp.ts';
import { verificationReasons } from '#shared/off-ramps/model/verification.ts';
import { mayPayinBecome, payinStatuses } from '#shared/pay-ins/pay-in.ts';
import { lives as depositLives } from '#test/simulation/books/on-write/deposit-rules.ts';
import { sectionOf, textOf } from '#test/support/markdown.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pageOf = (name: string) => textOf(`docs/${name}.md`);

/** The texts in code quotes in the first cell of each row. */
function rowsOf(text: string): readonly string[] {
  const cells = text.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
}

const sorted = (texts: readonly string[]) => texts.toSorted((one, other) => one.localeCompare(other));

describe('docs/sandbox.md says how to see', () => {
  test.each([
    ['Why a hash has not verified', 'reason', verificationReasons],
    ['The status of a hash', 'status', hashStatuses],
    ['The status of a deposit', 'status', depositStatuses],
    ['Why a deposit is unmatched', 'reason', depositReasons],
    ['The status of an off-ramp', 'status', operationStatuses],
    ['The status of a pay-in', 'status', payinStatuses],
    ['The events', 'type', publishedEvents.map(eventTypeOf)],
  ])('%s: each %s, and none that does not exist', (heading, head, all) => {
    expect(sorted(rowsOf(sectionOf(pageOf('sandbox'), heading)))).toEqual(sorted([head, ...all]));
  });
});

test('docs/sandbox.md: the confirmations of its unconfirmed deposit are too few on every network', () => {
  const shown = [...pageOf('sandbox').matchAll(/"confirmations": (\d+)/g)].map(([, count]) => Number(count));
  expect(shown.length).toBeGreaterThan(0);
  expect(Math.max(...shown)).toBeLessThan(Math.min(...Object.values(simulatedMinimums)));
});

describe('docs/lives.md', () => {
  const lives = pageOf('lives');

  /** The moves that a diagram shows, from one status to another. */
  const movesIn = (text: string) =>
    [...text.matchAll(/^ +([A-Z_]+) --> ([A-Z_]+)/gm)].map(([, ...ends]) => ends.join());

  function movesOf<Status extends string>(all: readonly Status[], may: (from: Status, to: Status) => boolean) {
    return all.flatMap((from) => all.filter((to) => may(from, to)).map((to) => [from, to].join()));
  }

  test.each([
    ['An off-ramp', operationStatuses, movesOf(operationStatuses, mayBecome)],
    ['A pay-in', payinStatuses, movesOf(payinStatuses, mayPayinBecome)],
  ])('%s: has every existing status and move, and no other', (heading, statuses, moves) => {
    const text = sectionOf(lives, heading);
    expect(sorted(movesIn(text))).toEqual(sorted(moves));
    expect(sorted(rowsOf(text))).toEqual(sorted(['status', ...statuses]));
  });

  test('A deposit: has every status, and every move that the rules of the simulation allow, and no other', () => {
    const text = sectionOf(lives, 'A deposit');
    const moves = Object.entries(depositLives).flatMap(([from, all]) => all.map((to) => `${from},${to}`));
    expect(sorted(movesIn(text))).toEqual(sorted(moves.filter((move) => !/^,|,$/.test(move))));
    expect(sorted(rowsOf(text))).toEqual(sorted(['status', ...depositStatuses]));
  });

  test('A hash: has every move of interface 3.2, and no other', () => {
    const rows = [...sectionOf(pageOf('interface'), '3.2 Hash').matchAll(/^\| (`[^|]+) \| `([A-Z_]+)` \|/gm)];
    const moves = rows.flatMap(([, from = '', to]) => [...from.matchAll(/[A-Z_]+/g)].map(([one]) => [one, to].join()));
    expect(moves.length).toBeGreaterThan(4);
    expect(sorted(movesIn(sectionOf(lives, 'A hash')))).toEqual(sorted(moves));
  });

  test('says what to do for every reason of a hash', () => {
    expect(sorted(rowsOf(sectionOf(lives, 'A hash')))).toEqual(sorted(['reason', ...verificationReasons]));
  });
});

describe('docs/errors.md', () => {
  const rows = sectionOf(pageOf('errors'), 'The codes')
    .split('\n')
    .flatMap((line) => {
      const [, code, status, ...told] = /^\| `([A-Z_]+)` \| (\d+) \| ([^|]+) \| ([^|]+) \|$/.exec(line) ?? [];
      return code === undefined ? [] : [{ code, status: Number(status), told }];
    });

  test('has every code with its status, when it comes and what to do, and no other', () => {
    const codes = errorCodes.map((code) => `${code} ${declaredErrors[code].status}`);
    expect(sorted(rows.map(({ code, status }) => `${code} ${status}`))).toEqual(sorted(codes));
    for (const { told } of rows) expect(told.every((text) => text.trim().length > 5)).toBe(true);
  });

  test('has every code of a value that is not valid, and no other', () => {
    const first = sectionOf(pageOf('errors'), 'Values that are not valid').matchAll(/^\| (`[^|]+) \|/gm);
    const codes = [...first].flatMap(([, cell = '']) => cell.match(/[A-Z]+(?:_[A-Z]+)*/g) ?? []);
    // Clients never see the commands of operators, nor the lists of a day.
    const files = globSync('{functions,shared}/**/*.ts', {
      cwd: root,
      exclude: ['functions/*/{operate,look-up}-*/**'],
    });
    const given = files
      .filter((file) => !file.startsWith('shared/platform/operators/'))
      .flatMap((file) => [...textOf(file).matchAll(/\bcode: '([A-Z_]+)',\s+message\b|BlockedUrl\(\s*'([A-Z_]+)'/g)])
      .map(([, code, fault]) => code ?? fault ?? '');
    expect(sorted(codes)).toEqual(sorted([...new Set(given)]));
  });

  test('shows the sentence of the service itself', () => {
    expect(pageOf('errors')).toContain(`"detail": "${declaredErrors.VALIDATION_FAILED.detail}"`);
  });
});
