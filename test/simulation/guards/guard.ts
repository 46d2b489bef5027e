import type { Write } from '#test/simulation/aws/dynamodb/write.ts';
import { tableSweptBy } from '#test/simulation/aws/idle-until.ts';
import { nameOfWrite, useCaseOf } from './use-cases.ts';

/** What refuses a write that would be wrong, or does what was left undone: a condition, or a function that is called every minute. */
export interface Guard {
  /** The same in every round, so that it can be taken away wherever it is met. */
  readonly name: string;
  readonly useCase: string;
  /** Whose items it guards. */
  readonly table: string;
}

const SWEEP = 'sweep';

export function guardOf(write: Write, condition: string, transaction: readonly Write[]): Guard {
  const useCase = useCaseOf(transaction);
  const name = [useCase, nameOfWrite(write), condition].join(' | ');
  return { name, useCase, table: write.TableName ?? '' };
}

export function guardOfSweep(folder: string): Guard {
  return { name: [SWEEP, folder, 'every minute'].join(' | '), useCase: SWEEP, table: tableSweptBy(folder) };
}
