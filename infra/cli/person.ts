import { confirm, input, select } from '@inquirer/prompts';
import type { Person } from './command-context.ts';
import { REASON_HINT } from './reason.ts';

/** Asks questions at the terminal, apart from the output for programs. */
export function personAt(keys: NodeJS.ReadableStream, output: NodeJS.WritableStream): Person {
  const context = { input: keys, output };
  return {
    value: ({ name, choices }) =>
      choices === undefined
        ? input({ message: name, required: true }, context)
        : select({ message: name, choices: [...choices] }, context),
    reason: () => input({ message: `Why? The audit shows this reason (${REASON_HINT})`, required: true }, context),
    agrees: (question) => confirm({ message: question, default: false }, context),
  };
}
