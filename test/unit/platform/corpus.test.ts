import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { tableShapes } from '#infra/stage/table-shapes.ts';
import { unreadOf } from '#test/corpus/readers.ts';

/*
 * While a release is deployed, its functions and those of the last one read each other's items, messages and inputs: a
 * new shape is read by one release and written only by the next one. CI also runs the last release's test over what
 * this code writes. Items of earlier releases stay for years, so they must still be parsed.
 */

/** The folder with what a later release writes, when CI tests this release on it. */
const { CORPUS: later } = process.env;
const root = later ?? fileURLToPath(new URL('../../corpus/', import.meta.url));
const releases = globSync('{,*/}release.json', { cwd: root })
  .map((file) => join(root, dirname(file)))
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));

const tables = new Map<string, unknown>(Object.entries(tableShapes));

const corpus = z.object({
  shape: z.nullable(z.object({ key: z.array(z.string()), indexes: z.optional(z.record(z.string(), z.unknown())) })),
  kept: z.array(z.object({ kind: z.string(), unread: z.array(z.string()), value: z.unknown() })),
});

test('there is a corpus', () => {
  expect(releases).not.toEqual([]);
});

describe.each(releases)('what %s writes is read', (folder) => {
  const isLast = folder === releases.at(-1);
  const sources = globSync('*.json', { cwd: folder, exclude: ['release.json'] })
    .map((file) => basename(file, '.json'))
    // No function of this release reads a table that only a later one has.
    .filter((source) => later === undefined || tables.has(source) || ['messages', 'executions'].includes(source));

  test.each(sources)('%s', (source) => {
    const { shape, kept } = corpus.parse(JSON.parse(readFileSync(join(folder, `${source}.json`), 'utf8')));
    // An item is in an index only by the names that the index had when it was written.
    if (later === undefined && isLast && shape !== null) expect(tables.get(source)).toMatchObject(shape);
    const faults = kept.flatMap(({ kind, unread, value }) => {
      try {
        // A field that is deliberately no longer read is added to `unread` in the corpus.
        const lost = unreadOf(source, kind, value).filter((name) => !unread.includes(name));
        return isLast && lost.length > 0
          ? [`${kind}: ${lost.join(', ')} is not read any more: ${JSON.stringify(value)}`]
          : [];
      } catch (error) {
        return [`${kind}: ${error instanceof Error ? error.message : error}: ${JSON.stringify(value)}`];
      }
    });
    expect(faults).toEqual([]);
  });
});
