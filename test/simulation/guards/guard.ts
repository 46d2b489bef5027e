import type { Write } from '#test/simulation/aws/dynamodb/write.ts';
import { nameOfWrite, useCaseOf } from './use-cases.ts';

/** The name of a condition of a write, the same in every round and in docs/testing.md. */
export function guardOf(write: Write, condition: string, transaction: readonly Write[]): string {
  return [useCaseOf(transaction), nameOfWrite(write), condition].join(' | ');
}

/** The name of a function that is called every minute and does what was left undone. */
export function guardOfSweep(folder: string): string {
  return ['sweep', folder, 'every minute'].join(' | ');
}
