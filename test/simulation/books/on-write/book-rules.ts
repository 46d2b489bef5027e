import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change, Transaction } from '../change.ts';
import { has, text } from '../items.ts';
import { personOf } from '../persons.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** docs/auditing.md, A day: the terms of outgoing money. Movements that are not final are in no sum. */
const wentOut = ['returns', 'sweeps', 'unknown'];
const beside = ['in', 'out', 'fees', 'adjusted', 'arriving', 'leaving'];

/** Each movement of a day stands in one term: the terms add up to what came in, and to what went out. */
export function checkBook({ before, after }: Change, { transaction }: Written): void {
  if (has(after, 'explainedAt')) checkExplanation(before, after, transaction);
  for (const [asset, { M: line = {} }] of Object.entries(after?.['sums']?.M ?? {})) {
    const cameIn = Object.keys(line).filter((term) => !wentOut.includes(term) && !beside.includes(term));
    const isWhole = sumOf(line, cameIn).eq(sumOf(line, ['in'])) && sumOf(line, wentOut).eq(sumOf(line, ['out']));
    must('the terms of a day of a book are what moved', isWhole, { day: text(after, 'day'), asset, line });
  }
}

function checkExplanation(before: Item | undefined, after: Item | undefined, transaction: Transaction): void {
  const [by, confirmedBy] = [text(after, 'explainedBy'), text(after, 'confirmedBy')].map(personOf);
  must('two persons explain a difference', by !== confirmedBy, { by, confirmedBy });
  const entry = text(after, 'entry');
  must('an explanation stays as it is', before === undefined, { entry });
  const isDone = ({ after: one }: Change) => has(one, 'doneAt') && entry.endsWith(`#${text(one, 'proposalId')}`);
  must('what is explained was proposed', transaction.some(isDone), { entry });
}

function sumOf(line: Item, terms: readonly string[]): Big {
  return terms.reduce((sum, term) => sum.plus(text(line, term) || 0), new Big(0));
}
