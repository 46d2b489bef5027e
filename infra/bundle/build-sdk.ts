import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sitePages } from '#infra/site/site-pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The oldest Node that runs the client (`engines` of sdk/package.json). */
const TARGET = 'node18';

/**
 * Builds the package of the typed client, for ES modules and for CommonJS, and packs it.
 *
 * @param directory is emptied; the package is made in it
 * @returns the packed file
 */
export async function packSdk(directory: string): Promise<string> {
  rmSync(directory, { recursive: true, force: true });
  const common = { absWorkingDir: root, bundle: true, platform: 'node', target: TARGET } as const;
  for (const [format, folder] of [
    ['esm', 'esm'],
    ['cjs', 'cjs'],
  ] as const) {
    const outfile = join(directory, folder, 'index.js');
    await build({ ...common, entryPoints: ['sdk/index.ts'], format, outfile, packages: 'external' });
  }
  // The exam is one file, which also runs without the package.
  const banner = { js: '#!/usr/bin/env node' };
  await build({
    ...common,
    entryPoints: ['sdk/exam/cli.ts'],
    format: 'esm',
    outfile: join(directory, 'exam.mjs'),
    banner,
  });

  const types = join(directory, 'esm');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'infra/bundle/sdk.tsconfig.json', '--outDir', types], { cwd: root });
  for (const file of globSync('*.d.ts', { cwd: types })) cpSync(join(types, file), join(directory, 'cjs', file));
  writeFileSync(join(directory, 'cjs/package.json'), '{"type":"commonjs"}\n');

  cpSync(join(root, 'sdk/package.json'), join(directory, 'package.json'));
  cpSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  writeFileSync(join(directory, 'README.md'), readme());
  mkdirSync(join(directory, 'packed'));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', 'packed'], { cwd: directory });
  const [packed = ''] = globSync('packed/*.tgz', { cwd: directory });
  return join(directory, packed);
}

/** The guide as clients read it, without links to pages that are not in the package. */
function readme(): string {
  const page = sitePages().get('sdk.md') ?? '';
  const text = page.replaceAll(/\[((?:[^[\]]|\[[^\]]*\])+)\]\((?!https?:|#)[^)]*\)/g, '$1');
  return `${text}\nThe guides that it names are at \`/api/docs\` of the service.\n`;
}

if (import.meta.main) process.stdout.write(`${await packSdk(join(root, '.build/sdk'))}\n`);
