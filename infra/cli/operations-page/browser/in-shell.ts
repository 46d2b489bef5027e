/** Text that no shell interprets. */
const PLAIN = /^[\w@%+:,./-]+$/;

/**
 * A text as one argument of a command that an operator copies into a terminal. References are clients' texts: without
 * quotes, `$(…)` in one would run there.
 */
export function inShell(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
