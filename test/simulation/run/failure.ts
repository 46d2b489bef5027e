import { Violation } from '#test/simulation/books/violation.ts';

/** Returns the broken rule with its facts, or the stack of the service's failure. */
export function textOf(error: unknown): string {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
