import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { Violation } from '#test/simulation/books/violation.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { type History, playScript, type Watchers } from './round.ts';

/** The rule that does not hold in a history, or the kind of what else went wrong; `undefined` when all is well. */
export async function failureOf(
  deployed: Deployed,
  script: Script,
  history: History,
  watchers: Watchers = {},
): Promise<string | undefined> {
  try {
    await playScript(deployed, script, history, watchers);
    return undefined;
  } catch (error) {
    return kindOf(error);
  }
}

/** The rule that does not hold and its facts, or where the service failed. */
export function textOf(error: unknown): string {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Of two errors the same, when they differ only in what they are about: its ids, numbers and bodies. */
export function kindOf(error: unknown): string {
  if (error instanceof Violation) return error.rule;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text
    .replace(/[{[][\s\S]*$/, '')
    .replaceAll(/\S*\d\S*/g, '…')
    .trim();
}
