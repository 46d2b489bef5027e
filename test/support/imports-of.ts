import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import * as z from 'zod/mini';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Import {
  /** The file that imports, from the root of the project. */
  readonly from: string;
  /** The file that is imported, or a package as it is written. */
  readonly to: string;
  /** The imported names, if the import lists them. */
  readonly names: readonly string[];
}

const { imports: aliases } = z
  .object({ imports: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${root}package.json`, 'utf8')));

/** All imports of all files of these folders. */
export function importsOfFolders(folders: readonly string[]): readonly Import[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}`, { cwd: root }))
    .flatMap((file) => importsOf(file, readFileSync(`${root}${file}`, 'utf8')));
}

/**
 * Everything that a file imports or exports from another one, types included, by the syntax tree and not by the
 * spelling. A computed import, and a `require`, is an import of `?`.
 */
export function importsOf(from: string, source: string): readonly Import[] {
  const { program, errors } = parseSync(from, source);
  if (errors.length > 0) throw new Error(`${from}: ${errors[0]?.message}`);
  const found: Import[] = [];
  const add = (written: unknown, names: readonly string[] = []) => {
    found.push({ from, to: typeof written === 'string' ? fileOf(from, written) : '?', names });
  };
  new Visitor({
    ImportDeclaration: ({ source: { value }, specifiers }) =>
      add(
        value,
        specifiers.map((one) =>
          one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : '*',
        ),
      ),
    ExportNamedDeclaration: ({ source: written }) => written !== null && add(written.value),
    ExportAllDeclaration: ({ source: { value } }) => add(value),
    ImportExpression: ({ source: written }) => add('value' in written ? written.value : undefined),
    TSImportType: ({ source: { value } }) => add(value),
    TSExternalModuleReference: ({ expression }) => add(expression.value),
    CallExpression: ({ callee }) => callee.type === 'Identifier' && callee.name === 'require' && add(undefined),
  }).visit(program);
  return found;
}

/** The file for `#shared/…`, `./…` or an address; a package as it is. */
function fileOf(from: string, written: string): string {
  const path = pathOf(from, written);
  if (path === undefined) return written;
  // The spelling of a file that is not found is unknown to this function.
  return existsSync(`${root}${path}`) ? path : '?';
}

function pathOf(from: string, written: string): string | undefined {
  const alias = Object.entries(aliases).find(([name]) => written.startsWith(name.slice(0, -1)));
  if (alias !== undefined) return normalize(join(alias[1].slice(0, -1), written.slice(alias[0].length - 1)));
  if (written.startsWith('.')) return normalize(join(dirname(from), written));
  return /^(?:[#/]|file:|data:|https?:)/.test(written) ? '' : undefined;
}
