import * as z from 'zod/mini';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { awaitedStep, proposedChange } from '#shared/platform/operators/proposals.ts';
import type { CommandContext, Target } from './command-context.ts';
import { jsonText } from './json-text.ts';
import { OpsError } from './ops-error.ts';
import type { Parameters } from './parameters.ts';
import { type CommandLineInput, readInput } from './read-input.ts';
import { replaceClientName } from './replace-client-name.ts';
import { runLines } from './run-lines.ts';
import { runReport } from './run-report.ts';
import { ask, type CallInput, type Service } from './service.ts';
import { escapeInvisible, table } from './table.ts';
import { waitForEffect } from './wait-for-effect.ts';
import { exportReport, writePages } from './write-file.ts';

export interface Options {
  readonly target: Target;
  readonly json: boolean;
  /** Prints the lines of a report. */
  readonly csv: boolean;
  readonly yes: boolean;
  /** The file that gets a secret. */
  readonly secretTo: string | undefined;
  /** The file that gets the lines of what is exported. */
  readonly exportTo: string | undefined;
  /** The file that gets a provider's own bytes. */
  readonly pagesTo: string | undefined;
}

/** Runs one command, from its arguments to its output. @throws {OpsError} */
export async function runCommand(
  route: OperatorRoute,
  parameters: Parameters,
  given: CommandLineInput,
  { target, json, csv, yes, secretTo, exportTo, pagesTo }: Options,
  context: CommandContext,
): Promise<void> {
  const { contract, report, lines } = route;
  const service = await context.findService(target);
  const named = await replaceClientName(service, contract, parameters, given, context);
  const typed = await readInput(contract, parameters, named, context);
  const asked = yes ? typed : await agreed(route, typed, service, context);
  const format = csv ? 'csv' : json ? 'json' : 'table';
  if (report !== undefined) return await runReport(service, route, report, asked, format, context);
  if (lines !== undefined) return await runLines(service, contract, lines, asked, format, context);
  if (pagesTo !== undefined) return await writePages(service, contract, asked, pagesTo, context);
  const { body, auditId } =
    secretTo === undefined
      ? await ask(service, contract, asked)
      : await withSecretIn(secretTo, context, () => ask(service, contract, asked));
  await exportReport(service, route, body, exportTo, context);
  const inForce = route.effect && (await waitForEffect(service, route.effect, { body, auditId }, context));
  if (json) return context.print(`${jsonText({ ...body, ...(auditId && { auditId }) })}\n`);
  context.print(`${table(body, context.columns)}\n`);
  for (const line of more(body)) context.say(line);
  if (inForce !== undefined) context.say(`Read back: ${escapeInvisible(inForce)}.\n`);
  if (auditId === undefined) return;
  context.say(`${escapeInvisible(ended(body))} Audit id: ${auditId}.\n`);
}

/** Where the next page of a list begins, by the option that takes it. */
const nextPage = z.object({
  nextSince: z.optional(z.string()),
  nextUntil: z.optional(z.string()),
  nextAfter: z.optional(z.string()),
});

/** Says how to read the next page, in the last line, which is what people read at a terminal. */
function more(body: unknown): readonly string[] {
  const next = Object.entries(nextPage.parse(body));
  return next.map(
    ([name, at]) => `There are more: repeat the command with --${name.slice('next'.length).toLowerCase()} ${at}\n`,
  );
}

const waiting = z.object({ proposal: z.optional(proposedChange), awaits: z.optional(awaitedStep) });

/** Says whether the change is done, and who continues it if not. */
function ended(body: unknown): string {
  const { proposal, awaits } = waiting.parse(body);
  if (proposal === undefined) return awaits ?? 'Done.';
  const { proposalId, until, confirmedWith } = proposal;
  return `NOT done yet: it takes two persons. Another person has until ${until} to run: ${confirmedWith} ${proposalId}.`;
}

/** The input, after the person has confirmed it if there is a question. */
async function agreed(
  { changesFieldsOf, shows, question: asking }: OperatorRoute,
  asked: CallInput,
  service: Service,
  { person, say }: CommandContext,
): Promise<CallInput> {
  if (asking === undefined) return asked;
  const question = typeof asking === 'string' ? asking : asking(asked.body);
  if (person === undefined)
    throw new OpsError('usage', `${question} There is no terminal to ask at: confirm with --yes.`);
  const compared = changesFieldsOf && (await compare(changesFieldsOf, asked, service));
  const shown = shows && (await ask(service, shows.contract, { query: shows.query(asked.body) })).body;
  say(`On ${service.name}:\n${table(shown ?? compared?.shown ?? asked.body)}\n\n`);
  if (!(await person.agrees(question))) throw new OpsError('usage', 'Nothing was done.');
  return compared?.asked ?? asked;
}

const change = z.looseObject({ arguments: z.record(z.string(), z.unknown()) });
const texts = z.catch(z.record(z.string(), z.string()), {});

/** Shows the current values of the fields to change and sends them along, so that a later change is not overwritten. */
async function compare(
  { contract, by, within }: NonNullable<OperatorRoute['changesFieldsOf']>,
  { body }: CallInput,
  service: Service,
) {
  const { arguments: given, ...rest } = change.parse(body);
  const seen = await ask(service, contract, { query: { [by]: String(given[by]) } });
  const [now, after] = [texts.parse(seen.body[within]), texts.parse(given[within])];
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, now[name] ?? '']));
  const fields = Object.keys(after).map((name) => ({ field: name, before: before[name], after: after[name] }));
  return { shown: { [by]: given[by], fields, ...rest }, asked: { body: { ...rest, arguments: { ...given, before } } } };
}

const secretIn = z.looseObject({ clientSecret: z.string() });

/** Creates the file before anything is done, because a secret that cannot be written down is lost. */
async function withSecretIn(
  file: string,
  { makeSecretFile }: CommandContext,
  work: () => ReturnType<typeof ask>,
): ReturnType<typeof ask> {
  const made = await makeSecretFile(file).catch(() => {
    throw new OpsError('usage', `${file} already exists or cannot be created. Nothing was done.`);
  });
  const done = await work().catch(async (error: unknown) => {
    await made.remove();
    throw error;
  });
  const { clientSecret, ...body } = secretIn.parse(done.body);
  await made.write(`${clientSecret}\n`);
  return { ...done, body: { ...body, clientSecretIn: file } };
}
