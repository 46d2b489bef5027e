import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface PageFile {
  readonly type: string;
  readonly content: string;
}

/** The files that the browser loads, by path; the script is bundled from its modules. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const [page, style, partsStyle, graphStyle, script] = await Promise.all([
    read('browser/page.html'),
    read('browser/page.css'),
    read('browser/parts.css'),
    read('graph.css'),
    bundled('browser/page.ts'),
  ]);
  return new Map([
    ['/operations', { type: 'text/html', content: page }],
    ['/operations/page.css', { type: 'text/css', content: style }],
    ['/operations/parts.css', { type: 'text/css', content: partsStyle }],
    ['/operations/graph.css', { type: 'text/css', content: graphStyle }],
    ['/operations/page.js', { type: 'text/javascript', content: script }],
  ]);
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

function read(file: string): Promise<string> {
  return readFile(pathOf(file), 'utf8');
}

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [pathOf(file)],
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles.map(({ text }) => text).join('');
}
