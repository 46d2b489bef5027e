import type { OperatorRoute } from '#infra/operators/operator-route.ts';
import { jsonText } from './json-text.ts';
import { OpsError } from './ops-error.ts';
import type { Parameters } from './parameters.ts';
import { readBack } from './read-back.ts';
import { type Given, readInput } from './read-input.ts';
import { runReport } from './run-report.ts';
import { type Asked, ask, type Service } from './service.ts';
import type { Surroundings, Target } from './surroundings.ts';
import { table, visible } from './table.ts';

export interface Options {
  readonly target: Target;
  readonly json: boolean;
  /** Of a report its lines. */
  readonly csv: boolean;
  readonly yes: boolean;
}

/** One command, from what was typed to what is printed. @throws {OpsError} */
export async function runCommand(
  route: OperatorRoute,
  parameters: Parameters,
  given: Given,
  { target, json, csv, yes }: Options,
  surroundings: Surroundings,
): Promise<void> {
  const { contract, question, report } = route;
  const service = await surroundings.findService(target);
  const asked = await readInput(contract, parameters, given, surroundings);
  if (question !== undefined && !yes) await agreed(question, asked, service, surroundings);
  if (report !== undefined) {
    return await runReport(service, route, report, asked, csv ? 'csv' : json ? 'json' : 'table', surroundings);
  }
  const { body, auditId } = await ask(service, contract, asked);
  const inForce = route.readBack && (await readBack(service, route.readBack, { body, auditId }, surroundings));
  if (json) return surroundings.print(`${jsonText({ ...body, ...(auditId && { auditId }) })}\n`);
  surroundings.print(`${table(body, surroundings.columns)}\n`);
  if (inForce !== undefined) surroundings.say(`Read back: ${visible(inForce)}.\n`);
  if (auditId !== undefined) surroundings.say(`Done. In the audit it is ${auditId}.\n`);
}

async function agreed(
  asking: string | ((body: unknown) => string),
  { body }: Asked,
  { name }: Service,
  { person, say }: Surroundings,
) {
  const question = typeof asking === 'string' ? asking : asking(body);
  if (person === undefined) throw new OpsError('usage', `${question} Nobody can be asked here: say it with --yes.`);
  say(`On ${name}:\n${table(body)}\n\n`);
  if (!(await person.agrees(question))) throw new OpsError('usage', 'Nothing was done.');
}
