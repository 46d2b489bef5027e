import * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';
import { csvLine } from './csv.ts';
import { jsonText } from './json-text.ts';
import { askAgain } from './run-report.ts';
import type { Asked, Service } from './service.ts';
import type { Surroundings } from './surroundings.ts';
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
  { query = {} }: Asked,
  format: 'table' | 'json' | 'csv',
  { print, say, columns: width }: Surroundings,
): Promise<void> {
  const all: Readonly<Record<string, unknown>>[] = [];
  if (format === 'csv') print(csvLine(columns));
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const asked: Asked = { query: cursor === '' ? query : { ...query, cursor } };
    const { items, unreadableIds = [], nextCursor } = page.parse((await askAgain(service, contract, asked)).body);
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
