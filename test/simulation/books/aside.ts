import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from './change.ts';
import { has, text } from './items.ts';

/** Items of other tables than off-ramps, deposits and pay-ins. */
export function createAside() {
  /** Days of the service's own books, by book and day. */
  const bookDays = new Map<string, Item>();
  /** Explanations of differences by two persons, by day and proposal, with the name of the book. */
  const explanations = new Map<string, Item>();
  /** Users whose data are erased. */
  const erased = new Set<string>();
  return {
    bookDays,
    explanations,
    erased,
    applyBook({ after }: Change): void {
      const book = text(after, 'book');
      if (after === undefined) return;
      if (has(after, 'sums')) bookDays.set(`${book} ${text(after, 'day')}`, after);
      const explained = { ...after, book: { S: book.replace('EXPLAINED#', '') } };
      if (has(after, 'explainedAt')) explanations.set(text(after, 'entry'), explained);
    },
    applyUser({ after }: Change): void {
      if (has(after, 'erasedAt')) erased.add(text(after, 'userId'));
    },
  };
}
