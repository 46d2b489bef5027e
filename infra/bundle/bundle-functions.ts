import { cpSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { buildSite } from '#infra/site/build-site.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface FunctionBundle {
  /** Holds `handler.mjs` and, for a few, the files that it serves. */
  readonly directory: string;
  readonly bytes: number;
  /** The source files that are in it, relative to the project. */
  readonly inputs: readonly string[];
}

/** Serves the documentation from files beside its bundle, which would be too large with them inside. */
const DOCS = 'docs/get-docs';

/** The bundle of every folder under `functions` that has a handler, by its path below `functions`. */
export type FunctionBundles = ReadonlyMap<string, FunctionBundle>;

/** Bundles every function as one ESM file that has only the code it uses. */
export async function bundleFunctions(outputDirectory: string): Promise<FunctionBundles> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: globSync('functions/*/*/handler.ts', { cwd: root }),
    outbase: 'functions',
    outdir: outputDirectory,
    metafile: true,
  });
  const site = buildSite();
  cpSync(site.directory, join(outputDirectory, DOCS, 'site'), { recursive: true });
  return new Map(
    Object.entries(metafile.outputs).map(([file, { bytes, inputs }]) => {
      const directory = dirname(join(root, file));
      const folder = relative(outputDirectory, directory);
      const bundle = { directory, bytes, inputs: [...Object.keys(inputs), ...(folder === DOCS ? site.inputs : [])] };
      return [folder, bundle] as const;
    }),
  );
}

const builtins = new Set(builtinModules);

/**
 * Makes a built-in module the prototype of its facade: the bundler copies own properties for each module that imports
 * one, and Node loads the parts behind some of them (`parseArgs`, `File`) as soon as their descriptors are read.
 */
const builtinModulesWithoutFacade: Plugin = {
  name: 'builtin-modules-without-facade',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_]+(\/[a-z_]+)*$/ }, ({ path }) => {
      const name = path.replace(/^node:/, '');
      return builtins.has(name) ? { path: name, namespace: 'builtin' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `const builtin = process.getBuiltinModule(${JSON.stringify(path)});
        module.exports = { __proto__: builtin, __esModule: true, default: builtin };`,
      loader: 'js',
    }));
  },
};

/** Reduces the package.json of an SDK client to its version, which is all that the client reads from it. */
const packagesAsVersions: Plugin = {
  name: 'packages-as-versions',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/@aws-sdk\/[^/]+\/package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/**
 * Leaves out of bundles the texts of contracts that only people read, and every constant that no code names. The
 * bundler alone keeps a constant if making it might have an effect, like a schema with a check.
 */
const onlyWhatIsNamed: Plugin = {
  name: 'only-what-is-named',
  setup({ onLoad }) {
    onLoad({ filter: /\/shared\/[^/]+\/.*\.ts$/ }, ({ path }) => ({
      contents: madeWhenNamed(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

const describes = /^document(Object|Values|Event)\(/;

/** Removes statements that only describe, and marks the making of constants as free of side effects. */
function madeWhenNamed(path: string, text: string): string {
  return parseSync(path, text)
    .program.body.flatMap((statement) => {
      const { type, start, end } = statement;
      if (type === 'ExpressionStatement') return describes.test(text.slice(start, end)) ? [{ start, end, by: '' }] : [];
      const declared = type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declared?.type !== 'VariableDeclaration') return [];
      return declared.declarations.flatMap(({ init }) => {
        if (init == null || isPlain(init.type)) return [];
        const by = `/* @__PURE__ */ (() => (${text.slice(init.start, init.end)}))()`;
        return [{ start: init.start, end: init.end, by }];
      });
    })
    .reduceRight((left, { start, end, by }) => left.slice(0, start) + by + left.slice(end), text);
}

/** True if the bundler itself sees that the expression has no side effect. */
function isPlain(expression: string): boolean {
  return /^(Arrow)?Function|Literal$/.test(expression);
}

/**
 * The settings that load fastest when measured: the SDK's ES modules (which can be shaken), credentials from the
 * environment only, and built-in modules by `getBuiltinModule`, because importing `node:http` from an ES module loads
 * all of undici. No module of this project has an effect on import (`sideEffects` in package.json), so a bundle leaves
 * out the code that its function does not use.
 */
export const bundleOptions: BuildOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/environment-credentials.ts'),
    '@aws-sdk/endpoint-cache': join(root, 'infra/bundle/no-endpoint-cache.ts'),
    '@smithy/core/event-streams': join(root, 'infra/bundle/no-event-streams.ts'),
  },
  plugins: [builtinModulesWithoutFacade, onlyWhatIsNamed, packagesAsVersions],
  logLevel: 'warning',
};
