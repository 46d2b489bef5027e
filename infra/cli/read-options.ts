/** The exit status of a script whose options are wrong. */
const WRONG = 2;

/**
 * Reads the options after `npm run <script> --`. Ends the process with the usage when that is asked for, and also with
 * the error when the options are wrong.
 */
export function readOptionsOrExit<Options>(usage: string, read: () => Options): Options {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}\n`);
    return process.exit(WRONG);
  }
}

/** @throws {Error} which names the values that the option takes */
export function wholeNumber(option: string, text: string, { least = 1, most = Number.MAX_SAFE_INTEGER } = {}): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
    throw new Error(`${option} takes a whole number ${range}.`);
  }
  return value;
}
