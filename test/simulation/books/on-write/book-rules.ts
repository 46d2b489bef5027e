import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { text } from '../items.ts';
import { must } from '../violation.ts';

/** docs/auditing.md, A day: the terms of what went out. What is not final is in no sum. */
const wentOut = ['returns', 'sweeps', 'unknown'];
const beside = ['in', 'out', 'fees', 'adjusted', 'arriving', 'leaving'];

/** Each movement of a day stands in one term: together they are what came in, and what went out. */
export function checkBook({ after }: Change): void {
  for (const [asset, { M: line = {} }] of Object.entries(after?.['sums']?.M ?? {})) {
    const cameIn = Object.keys(line).filter((term) => !wentOut.includes(term) && !beside.includes(term));
    const isWhole = sumOf(line, cameIn).eq(sumOf(line, ['in'])) && sumOf(line, wentOut).eq(sumOf(line, ['out']));
    must('the terms of a day of a book are what moved', isWhole, { day: text(after, 'day'), asset, line });
  }
}

function sumOf(line: Item, terms: readonly string[]): Big {
  return terms.reduce((sum, term) => sum.plus(text(line, term) || 0), new Big(0));
}
