import * as z from 'zod/mini';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { CommandContext } from './command-context.ts';
import { OpsError } from './ops-error.ts';
import { runReport } from './run-report.ts';
import { ask, type CallInput, type Service } from './service.ts';

/** Writes every line that an answer sums up into a new file as CSV, if a file is named. @throws {OpsError} */
export async function exportReport(
  service: Service,
  { exports }: OperatorRoute,
  answer: Readonly<Record<string, unknown>>,
  file: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { route, query: queryOf } = exports ?? {};
  const { report } = route ?? {};
  if (route === undefined || report === undefined || queryOf === undefined || file === undefined) return;
  const query = queryOf(answer);
  await intoNewFile(file, context, async (print) => {
    await runReport(service, route, report, { query }, 'csv', { ...context, print });
  });
}

const page = z.looseObject({ sha256: z.string(), answer: z.string(), nextCursor: z.optional(z.string()) });

/** Writes each page as it was answered, with its digest: one line of JSON. @throws {OpsError} */
export async function writePages(
  service: Service,
  contract: Contract,
  { query = {} }: CallInput,
  file: string,
  context: CommandContext,
): Promise<void> {
  let pages = 0;
  await intoNewFile(file, context, async (print) => {
    let asked = query;
    for (;;) {
      const { nextCursor, ...one } = page.parse((await ask(service, contract, { query: asked })).body);
      print(`${JSON.stringify(one)}\n`);
      pages += 1;
      if (nextCursor === undefined) return;
      // Keeps the day of the first page, for a list that began before midnight.
      const { day, custodian } = one;
      asked = { day: String(day), custodian: String(custodian), cursor: nextCursor };
    }
  });
  context.say(`${pages} pages are in ${file}.\n`);
}

/** Leaves a file only if all of it was written. */
async function intoNewFile(
  file: string,
  { makeSecretFile }: CommandContext,
  work: (print: (text: string) => void) => Promise<void>,
): Promise<void> {
  const made = await makeSecretFile(file).catch(() => {
    throw new OpsError('usage', `${file} already exists or cannot be created.`);
  });
  const written: string[] = [];
  try {
    await work((text) => void written.push(text));
  } catch (error) {
    await made.remove();
    throw error;
  }
  await made.write(written.join(''));
}
