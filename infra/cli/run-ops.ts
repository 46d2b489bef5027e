import { CommanderError } from 'commander';
import type { CommandContext } from './command-context.ts';
import { jsonText } from './json-text.ts';
import { exitStatus, OpsError } from './ops-error.ts';
import { program } from './program.ts';
import { isErrorNamed } from './service.ts';
import { escapeInvisible } from './table.ts';

/** Runs `npm run ops -- …`. @returns the exit status */
export async function runOps(args: readonly string[], context: CommandContext): Promise<number> {
  const { say } = context;
  try {
    await program(context).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return exitStatus.done;
  } catch (error) {
    // The parser has already printed the help or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
    // Ctrl-C at a question.
    if (isErrorNamed(error, 'ExitPromptError')) return exitStatus.interrupted;
    if (!(error instanceof OpsError)) return unexpected(error, say);
    say(args.includes('--json') ? `${jsonText({ detail: error.message, ...error.details })}\n` : inWords(error));
    return error.status;
  }
}

function unexpected(error: unknown, say: CommandContext['say']): number {
  say(`${error instanceof Error ? error.stack : String(error)}\nThis is a defect of the command itself.\n`);
  return exitStatus.failed;
}

function inWords({ message, details: { errors = [], requestId } }: OpsError): string {
  const values = errors.map((one) => `  ${one.path} ${one.message}`);
  const request = requestId === undefined ? [] : [`Request ${requestId}`];
  return `${[message, ...values, ...request].map(escapeInvisible).join('\n')}\n`;
}
