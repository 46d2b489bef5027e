import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { CommandContext } from './command-context.ts';
import { csvLine } from './csv.ts';
import { jsonText } from './json-text.ts';
import { askWithRetries } from './run-report.ts';
import type { CallInput, Service } from './service.ts';
import { table } from './table.ts';

const page = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  unreadableIds: z.optional(z.array(z.string())),
  nextCursor: z.optional(z.string()),
});

/** Reads every page of a list, and prints its lines as they come; as JSON, all at the end. @throws {OpsError} */
export async function runLines(
  service: Service,
  contract: Contract,
  columns: readonly string[],
  { query = {} }: CallInput,
  format: 'table' | 'json' | 'csv',
  { print, say, columns: width }: CommandContext,
): Promise<void> {
  const all: Readonly<Record<string, unknown>>[] = [];
  if (format === 'csv') print(csvLine(columns));
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const asked: CallInput = { query: cursor === '' ? query : { ...query, cursor } };
    const { items, unreadableIds = [], nextCursor } = page.parse((await askWithRetries(service, contract, asked)).body);
    for (const id of unreadableIds) say(`Missing, because it cannot be read: ${id}\n`);
    if (format === 'csv') for (const line of items) print(csvLine(columns.map((name) => cell(line[name]))));
    if (format === 'table' && items.length > 0) print(`${table({ items }, width)}\n`);
    all.push(...items);
    cursor = nextCursor;
  }
  if (format === 'json') print(`${jsonText({ items: all })}\n`);
  say(`${all.length} lines\n`);
}

const cell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
