import * as z from 'zod/mini';
import type { OperatorRoute, Report } from '#infra/platform/operator-route.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { CommandContext } from './command-context.ts';
import { csvLine } from './csv.ts';
import { jsonText } from './json-text.ts';
import { exitStatus, OpsError } from './ops-error.ts';
import { ask, type CallInput, type Service } from './service.ts';
import { table } from './table.ts';
import { Totals } from './totals.ts';

const page = z.object({
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  items: z.array(z.record(z.string(), z.unknown())),
  unreadableIds: z.optional(z.array(z.string())),
  nextCursor: z.optional(z.string()),
});

/** Most attempts to read one page. */
const MOST_TRIES = 3;

/** Lines of the report between two messages about its progress. */
const PROGRESS = 5000;

/** Reads every page of a report, and prints its lines as they come, or their totals. @throws {OpsError} */
export async function runReport(
  service: Service,
  { contract }: OperatorRoute,
  report: Report,
  asked: CallInput,
  format: 'table' | 'json' | 'csv',
  { print, say, columns }: CommandContext,
): Promise<void> {
  const isCsv = format === 'csv';
  const totals = new Totals(report);
  let [days, lines] = [{}, 0];
  if (isCsv) print(csvLine(report.columns));
  for await (const { from, to, zone, items, unreadableIds = [] } of pages(service, contract, asked)) {
    for (const id of unreadableIds) say(`Missing, because it cannot be read: ${id}\n`);
    days = { from, to, zone };
    for (const line of items) {
      totals.add(line);
      if (isCsv) print(csvLine(report.columns.map((name) => line[name])));
      lines += 1;
      if (lines % PROGRESS === 0) say(`${lines} lines, up to ${line[report.at]}\n`);
    }
  }
  const answer = { ...days, lines, totals: totals.all() };
  if (format === 'json') print(`${jsonText(answer)}\n`);
  if (format === 'table') print(`${table(answer, columns)}\n`);
}

/**
 * Requests a page again if it fails: a report has hundreds of pages, and any of them may meet a moment in which the
 * service fails.
 */
export async function askWithRetries(...[service, contract, asked]: Parameters<typeof ask>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(service, contract, asked);
    } catch (error) {
      if (!(error instanceof OpsError) || error.status !== exitStatus.failed || tries === MOST_TRIES) throw error;
    }
  }
}

async function* pages(service: Service, contract: Contract, { query = {} }: CallInput) {
  let asked = query;
  for (;;) {
    const one = page.parse((await askWithRetries(service, contract, { query: asked })).body);
    yield one;
    if (one.nextCursor === undefined) return;
    // Keeps the days of the first page, for a report that began before midnight.
    asked = { ...query, from: one.from, to: one.to, zone: one.zone, cursor: one.nextCursor };
  }
}
