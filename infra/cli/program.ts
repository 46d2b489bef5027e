import { Command, Option } from 'commander';
import * as z from 'zod/mini';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { REASON_LENGTH } from '#shared/platform/http/command.ts';
import type { CommandContext, Target } from './command-context.ts';
import { exampleOf } from './example.ts';
import { exitStatusHelp, OpsError } from './ops-error.ts';
import { pageCommand } from './page-command.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import { REASON_HINT } from './reason.ts';
import { runCommand } from './run-command.ts';

/** The program with every command that the modules declare. */
export function program(context: CommandContext, routes: readonly OperatorRoute[] = operatorRoutes): Command {
  const whole = new Command('ops')
    .description('Looks up where money is, and why; onboards clients; corrects errors. The audit records each change.')
    .addOption(new Option('--stage <stage>', 'whose service').choices(['local', 'staging', 'prod']).default('local'))
    .option('--profile <profile>', "profile of AWS's settings; its identity signs the calls")
    .option('--port <port>', 'port of the npm start, if there are several')
    .option('--as <name>', 'your name, on this machine; on AWS your identity has it')
    .option('--json', 'print answers and errors for programs')
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (one) => `${one.name()} ${one.usage()}`.replace(/ ?\[options\]/, ''),
    })
    .addHelpText('after', exitStatusHelp)
    .configureOutput({ writeOut: context.print, writeErr: context.say })
    .exitOverride();
  for (const route of routes) whole.addCommand(command(route, context).copyInheritedSettings(whole));
  const page = pageCommand((given) => targetOf(ownOptions.parse(given)), context);
  return whole.addCommand(page.copyInheritedSettings(whole));
}

function command(route: OperatorRoute, context: CommandContext): Command {
  const { contract, pagesToFile = false, argument } = route;
  const hasLines = printsLines(route);
  const parameters = parametersOf(contract, argument);
  const isChange = contract.method !== 'GET';
  const one = new Command(contract.name).description(contract.summary);
  for (const [name, description] of positionals(parameters)) one.argument(`[${name}]`, description);
  // A terminal asks for missing arguments, so the parser must not require them.
  const isNeeded = (name: string) => name !== parameters.last?.name;
  const typed = positionals(parameters).map(([name]) => (isNeeded(name) ? `<${name}>` : `[${name}]`));
  one.usage([...typed, '[options]'].join(' '));
  for (const { name, choices, format = '', isFlag } of parameters.optional) {
    // The command reads every page itself.
    if ((hasLines || pagesToFile) && name === 'cursor') continue;
    const option = new Option(isFlag ? `--${name}` : `--${name} <${name}>`, FORMATS.get(format));
    one.addOption(choices ? option.choices([...choices]) : option);
  }
  if (isChange && !parameters.onlyFromFile) one.option('--from <file>', `${FILE}, instead of the history of a shell`);
  const { least, most } = REASON_LENGTH;
  if (isChange)
    one.option('--reason <reason>', `the reason, for the audit: ${least} to ${most} characters, ${REASON_HINT}`);
  addFileOptions(one, route);
  if (hasLines) one.option('--csv', 'a line each, for spreadsheets');
  if (isChange) one.option('--yes', 'do not ask');
  one.addHelpText('after', `\nExample:\n${exampleOf(route, parameters)}`);
  return one.action(async () => {
    const {
      json,
      csv,
      yes,
      reason,
      from,
      secretTo,
      export: exportTo,
      to,
      ...named
    } = ownOptions.parse(one.optsWithGlobals());
    // The parser's `conflicts` does not see global options.
    if (csv && json) throw new OpsError('usage', '--csv and --json exclude each other.');
    const target = targetOf(named);
    const values = texts.parse(one.processedArgs.map((value: unknown) => value));
    const file = parameters.onlyFromFile ? values[0] : isChange ? from : undefined;
    const given = { values: parameters.onlyFromFile ? [] : values, options: one.opts(), from: file, reason };
    await runCommand(
      route,
      parameters,
      given,
      { target, json, csv, yes, secretTo, exportTo, pagesTo: pagesToFile ? to : undefined },
      context,
    );
  });
}

function printsLines({ report, lines }: OperatorRoute): boolean {
  return report !== undefined || lines !== undefined;
}

/** Adds the options for files that receive what is not printed. */
function addFileOptions(one: Command, { showsSecret, exports, pagesToFile }: OperatorRoute): void {
  const mine = 'a new file that only you may read';
  if (showsSecret) one.option('--secret-to <file>', `write the secret into ${mine}, and do not print it`);
  if (exports !== undefined) one.option('--export <file>', `write each of its movements into ${mine}, as CSV`);
  if (pagesToFile) one.option('--to <file>', `write all pages into ${mine}, each on a line`);
}

/** @throws {OpsError} for an option that the stage does not take */
function targetOf({ stage, profile, port, as }: Target): Target {
  const isLocal = stage === 'local';
  if (isLocal && profile !== undefined) throw new OpsError('usage', '--profile needs a --stage on AWS.');
  if (!isLocal && (port ?? as) !== undefined)
    throw new OpsError('usage', '--port and --as are for --stage local only.');
  return { stage, profile, port, as };
}

/** Descriptions of the formats, for the help. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['date', 'a day, like 2026-11-01'],
  ['date-time', 'a time with an offset, like 2026-11-21T09:00:00-05:00'],
]);

const FILE = 'JSON with the arguments (- is the standard input)';

function positionals({ required, last, onlyFromFile }: Parameters): readonly (readonly [string, string])[] {
  if (onlyFromFile) return [['file', FILE]];
  return [...required, ...(last === undefined ? [] : [last])].map(({ name, choices = [] }) => [
    name,
    choices.join(', '),
  ]);
}

const texts = z.array(z.optional(z.string()));

const ownOptions = z.object({
  stage: z.string(),
  profile: z.optional(z.string()),
  port: z.optional(z.string()),
  as: z.optional(z.string()),
  json: z._default(z.boolean(), false),
  csv: z._default(z.boolean(), false),
  yes: z._default(z.boolean(), false),
  reason: z.optional(z.string()),
  from: z.optional(z.string()),
  secretTo: z.optional(z.string()),
  export: z.optional(z.string()),
  to: z.optional(z.string()),
});
