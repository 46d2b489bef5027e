import { Violation } from '#test/simulation/books/violation.ts';

/** The rule that does not hold and its facts, or where the service failed. */
export function textOf(error: unknown): string {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
