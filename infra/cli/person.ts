import { confirm, input, select } from '@inquirer/prompts';
import { NOTHING_PERSONAL } from './reason.ts';
import type { Person } from './surroundings.ts';

/** Asks questions at the terminal, apart from the output for programs. */
export function personAt(keys: NodeJS.ReadableStream, output: NodeJS.WritableStream): Person {
  const context = { input: keys, output };
  return {
    value: ({ name, choices }) =>
      choices === undefined
        ? input({ message: name, required: true }, context)
        : select({ message: name, choices: [...choices] }, context),
    reason: () => input({ message: `Why? The audit shows this reason (${NOTHING_PERSONAL})`, required: true }, context),
    agrees: (question) => confirm({ message: question, default: false }, context),
  };
}
