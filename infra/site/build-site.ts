import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { SITE_BASE } from '#shared/docs/docs-contract.ts';
import { filesBeside } from './guides.ts';
import { llmsText, sitePages, withoutDiagrams } from './site-pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const own = join(root, 'infra/site');
const vitepress = join(root, 'node_modules/vitepress');

/** Beside the packages: the build finds packages from there, and built sites are deleted together with them. */
const cache = join(root, 'node_modules/.cache/docs-site');

const swaggerUi = 'node_modules/swagger-ui-dist';

/** The files of the page of every route and field, each with the files that it is joined from. */
const referenceFiles: Readonly<Record<string, readonly string[]>> = {
  'reference.html': ['infra/site/reference.html'],
  'show-reference.js': ['infra/site/show-reference.js'],
  'postman-collection.json': ['docs/postman-collection.json'],
  'swagger-ui.css': [`${swaggerUi}/swagger-ui.css`],
  'swagger-ui-bundle.js': [`${swaggerUi}/swagger-ui-bundle.js`],
  // The script names this file for its licences; its own licence requires that NOTICE and LICENSE are passed on.
  'swagger-ui-bundle.js.LICENSE.txt': ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt'].map(
    (file) => `${swaggerUi}/${file}`,
  ),
};

export interface Site {
  /** Its files, in which `SITE_BASE` stands for the path below which they are served. */
  readonly directory: string;
  /** The files of packages whose code the site has, relative to the project. */
  readonly inputs: readonly string[];
}

const MODULES = 'modules.json';

/**
 * The guides and the reference as files for a browser. They are built once for the same inputs, without network: a
 * build takes a quarter of a minute.
 */
export function buildSite(): Site {
  const pages = sitePages();
  const built = join(cache, keyOf(pages));
  if (!existsSync(built)) build(pages, built);
  const modules = z.array(z.string()).parse(JSON.parse(readFileSync(join(built, MODULES), 'utf8')));
  return {
    directory: join(built, 'site'),
    inputs: [...modules, ...Object.values(referenceFiles).flat()].filter((file) => file.startsWith('node_modules/')),
  };
}

function keyOf(pages: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(JSON.stringify([...pages]));
  const files = [...globSync('**/*', { cwd: own, withFileTypes: true })].filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) hash.update(readFileSync(join(parentPath, name)));
  for (const name of ['vitepress', 'vue', 'swagger-ui-dist'])
    hash.update(readFileSync(join(root, 'node_modules', name, 'package.json')));
  return hash.digest('hex').slice(0, 16);
}

/** Several processes may build at the same time, each in a folder of its own; the result of the first is kept. */
function build(pages: ReadonlyMap<string, string>, target: string): void {
  mkdirSync(cache, { recursive: true });
  const source = mkdtempSync(join(cache, 'build-'));
  try {
    write(source, '.vitepress/config.mjs', configFile(join(source, MODULES)));
    write(source, '.vitepress/theme/index.mjs', themeFile);
    for (const [path, page] of pages)
      write(source, path, withoutDiagrams(leavingTheSite(path === 'index.md' ? fromTheBase(page) : page)));
    runVitepress(source);
    const result = join(source, 'result');
    cpSync(join(source, '.vitepress/dist'), join(result, 'site'), { recursive: true });
    for (const [path, page] of pages) write(result, `site/${path}`, page);
    write(result, 'site/llms.txt', llmsText(pages));
    for (const [name, parts] of Object.entries(referenceFiles))
      write(result, `site/${name}`, parts.map((part) => readFileSync(join(root, part), 'utf8')).join('\n'));
    const modules = packageFiles(readFileSync(join(source, MODULES), 'utf8'));
    write(result, MODULES, JSON.stringify(modules));
    write(result, 'site/licences.txt', licencesOf(modules));
    keep(result, target);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
}

function keep(result: string, target: string): void {
  try {
    renameSync(result, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}

const configFile = (modulesFile: string) =>
  `import { siteConfig } from ${JSON.stringify(`${own}/vitepress-config.ts`)};
export default siteConfig(${JSON.stringify(SITE_BASE)}, ${JSON.stringify(modulesFile)});
`;

/** Uses the fonts of the reader's system, so that none is loaded. */
const themeFile = `import theme from 'vitepress/theme-without-fonts';
import ${JSON.stringify(`${own}/theme.css`)};
export default theme;
`;

/** Runs in a process of its own, because VitePress changes the process that it runs in. @throws with what it prints */
function runVitepress(source: string): void {
  execFileSync(process.execPath, [join(vitepress, 'bin/vitepress.js'), 'build', source], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', FORCE_COLOR: '0' },
  });
}

/** Marks links to the reference and to files for programs, which the pages cannot load by themselves. */
function leavingTheSite(page: string): string {
  const link = new RegExp(`\\]\\(((?:\\.\\./|${SITE_BASE})?(?:${filesBeside.join('|')})(?:#[^)\\s]*)?)\\)`, 'g');
  return page.replaceAll(link, ']($1){target="_self"}');
}

/** Makes links of the first page absolute: its address also works without a last slash (`/api/docs`). */
function fromTheBase(page: string): string {
  return page.replaceAll(
    /\]\(([\w-]+\.)(md|html|txt)\)/g,
    (_, name, kind) => `](${kind === 'md' ? '/' : SITE_BASE}${name}${kind})`,
  );
}

function packageFiles(text: string): readonly string[] {
  const modules = z.array(z.string()).parse(JSON.parse(text));
  const files = modules.map((id) => id.replace(/^\0/, '').replace(/[?#].*$/, ''));
  const ofPackages = files.filter((file) => file.includes('/node_modules/') && existsSync(file));
  return [...new Set(ofPackages.map((file) => relative(root, file)))].filter((file) => !file.includes('.cache')).sort();
}

/** The licences of others' work that must be passed on. */
function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  return [...folders]
    .map((folder) => {
      const files = readdirSync(join(root, folder)).filter((name) => /^(?:licen[sc]e|notice)/i.test(name));
      const texts = files.map((name) => readFileSync(join(root, folder, name), 'utf8').trim());
      return [folder.replace(/^.*node_modules\//, ''), ...texts].join('\n\n');
    })
    .join('\n\n---\n\n');
}

function write(directory: string, path: string, text: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
