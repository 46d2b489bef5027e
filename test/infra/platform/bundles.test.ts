import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { runProcess } from '#infra/local/run-process.ts';
import { operatorModules } from '#infra/operators/operator-routes.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { objectsIn } from '#test/support/json-parts.ts';
import { openApiText } from '#test/support/openapi.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import { bundles, functionsOf, stageNames, synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders = globSync('functions/*/*/handler.ts', { cwd: root }).map((file) =>
  dirname(file).replace(/^functions\//, ''),
);
const everyEndpoint = [...endpoints, ...sandboxEndpoints];
const bundled = [...bundles].map(([folder, bundle]) => ({ folder, ...bundle }));

/** Limits in bytes, from the measurements of cold starts. */
const MOST = { read: 262_000, 'submit-offramp-hash': 360_000, any: 500_000 };

/** Limit in bytes. It parses addresses: its answer about a return must agree with the route that asks for one. */
const MOST_OF_LIST_DEPOSITS = 266_000;

const notForFunctions: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a custodian's SDK", /node_modules\/@fireblocks\//],
  [
    'credentials of profiles, single sign-on or instances',
    /credential-provider-(sso|ini|process|web-identity)|credential-providers/,
  ],
  ['the CDK', /node_modules\/(aws-cdk|aws-cdk-lib|cdk-nag|constructs)\/|^infra\/(?!bundle\/)/],
  ['the typed client', /^sdk\//],
  ['test support', /^test\/|node_modules\/vitest\//],
];

const withAll = synthesiseStage(withRealProviders());

describe('every folder of a function', () => {
  test('has one bundle, and there are no other bundles', () => {
    expect(folders).not.toEqual([]);
    expect([...bundles.keys()].sort()).toEqual(folders.sort());
  });

  test('is deployed on some stage, and no other function is', () => {
    const deployed = [...stageNames.map(synthesise), withAll].flatMap((service) =>
      functionsOf(service).map(({ folder }) => folder),
    );
    expect([...new Set(deployed)].sort()).toEqual(folders.sort());
  });

  test('is named like the construct of its function', () => {
    const functions = functionsOf(withAll);
    const ids = functions.map(({ name, folder }) => [folder, name]);
    expect(ids.sort()).toEqual(folders.map((folder) => [folder, basename(folder)]).sort());
  });

  test('has a unique name', () => {
    expect(new Set(folders.map((folder) => basename(folder))).size).toBe(folders.length);
  });

  test.each(everyEndpoint)('that serves a route is named like its contract: $folder', ({ contract, folder }) => {
    expect(basename(folder)).toBe(contract.name);
  });

  test.each(folders)('has a file of the same name beside its handler: %s', (folder) => {
    expect(globSync(`functions/${folder}/${basename(folder)}.ts`, { cwd: root })).toHaveLength(1);
  });
});

describe('every function', () => {
  const service = synthesiseStage(stageNamed('staging'), { 'aws:cdk:disable-asset-staging': false });

  test.each(functionsOf(service))('runs the bundle of its own folder: $name', ({ folder, properties }) => {
    const { Code, Handler } = properties;
    const deployed = readFileSync(join(service.outdir, `asset.${basename(Code.S3Key, '.zip')}`, 'handler.mjs'), 'utf8');
    const built = bundles.get(folder)?.directory ?? '';
    expect(Handler).toBe('handler.handler');
    expect(deployed === readFileSync(join(built, 'handler.mjs'), 'utf8')).toBe(true);
  });
});

describe('every bundle', () => {
  test.each(bundled)(`is at most ${MOST.any} bytes: $folder`, ({ bytes }) => {
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MOST.any);
  });

  test.each(everyEndpoint.filter(({ contract }) => contract.method === 'GET'))(
    `of a read is at most ${MOST.read} bytes: $folder`,
    ({ folder }) => {
      const most = folder === 'off-ramps/list-deposits' ? MOST_OF_LIST_DEPOSITS : MOST.read;
      expect(bundles.get(folder)?.bytes).toBeLessThanOrEqual(most);
    },
  );

  test(`of submit-offramp-hash is at most ${MOST['submit-offramp-hash']} bytes`, () => {
    expect(bundles.get('off-ramps/submit-offramp-hash')?.bytes).toBeLessThanOrEqual(MOST['submit-offramp-hash']);
  });

  test.each(notForFunctions)('is without %s', (_, pattern) => {
    const found = bundled
      // The canary calls the API as clients do.
      .filter(({ folder }) => !folder.startsWith('canary/') || !pattern.test('sdk/connect.ts'))
      .flatMap(({ folder, inputs }) =>
        inputs.filter((input) => pattern.test(input)).map((input) => `${folder}: ${input}`),
      );
    expect(found).toEqual([]);
  });

  test('of a function that serves no route is without api-error.ts', () => {
    const knowing = (file: string) => bundled.filter(({ inputs }) => inputs.includes(file)).map(({ folder }) => folder);
    const ofOperators = operatorModules.flatMap(({ looksUp, changes }) => [looksUp, changes]);
    const ofRoutes = [...everyEndpoint.map(({ folder }) => folder), ...ofOperators];
    expect(knowing('shared/platform/http/api-error.ts').sort()).toEqual([...new Set(ofRoutes)].sort());
  });

  test('has the messages of zod in one language at most', () => {
    const locales = bundled.map(({ folder, inputs }) => ({
      folder,
      locales: inputs.filter((input) => /\/locales\/(?!index)/.test(input)),
    }));
    expect(locales.filter((found) => found.locales.length > 1)).toEqual([]);
  });

  test('contains no sentence of the published document, except the bundle that serves it', () => {
    const described = objectsIn(JSON.parse(openApiText)).filter(({ path }) => path[1] === 'schemas');
    const texts = described.flatMap(({ value }) => z.catch(z.string(), '').parse(value['description']).split('\n'));
    const sentences = texts.filter((text) => text.length > 20);
    expect(sentences.length).toBeGreaterThan(200);
    const found = bundled.filter(({ directory }) => {
      const code = readFileSync(join(directory, 'handler.mjs'), 'utf8');
      return sentences.some((sentence) => code.includes(sentence));
    });
    expect(found.map(({ folder }) => folder)).toEqual(['docs/get-openapi']);
  });

  test('contains the formats of addresses and hashes only if it reads them', () => {
    const having = (pattern: RegExp) =>
      bundled.filter(({ inputs }) => inputs.some((input) => pattern.test(input))).map(({ folder }) => folder);
    const reading = having(/^shared\/networks\/network-families\.ts$/);
    expect(reading).toContain('off-ramps/submit-offramp-hash');
    expect(reading).not.toContain('off-ramps/list-operations');
    expect(having(/^shared\/networks\/network\.ts$/)).toContain('off-ramps/list-operations');
  });

  test('decisions 12, What a provider needs: contains only the part of a custodian that its function calls', () => {
    const having = (file: string) =>
      bundled
        .filter(({ inputs }) => inputs.includes(`shared/off-ramps/custodians/${file}`))
        .map(({ folder }) => basename(folder));
    const searching = ['cancel-operation', 'check-deposit', 'end-expired-operations', 'match-deposit'];
    const receiving = 'receive-custodian-notification';
    const simulating = 'simulate-deposit';
    const booking = ['balance-deposits', 'look-up-books'];
    const returning = ['send-returns', 'operate-off-ramps'];
    const common = [...searching, receiving, 'reconcile-custodian', ...booking, ...returning];
    expect(having('simulated/transactions.ts').sort()).toEqual([...common, simulating].sort());
    expect(having('simulated/simulated-custodian.ts').sort()).toEqual(
      [...common, 'create-withdrawal', simulating].sort(),
    );
    expect(having('evm/evm-custodian.ts').sort()).toEqual(
      [...searching, receiving, 'reconcile-custodian', ...returning].sort(),
    );
    expect(having('evm/derive-addresses.ts')).toEqual(['create-withdrawal']);
  });

  test('decisions 12, What a provider needs: contains the code for a rail’s notifications only where they arrive', () => {
    const having = (pattern: RegExp) =>
      bundled
        .filter(({ folder, inputs }) => folder.startsWith('pay-ins/') && inputs.some((input) => pattern.test(input)))
        .map(({ folder }) => basename(folder));
    expect(having(/wompi-notifications\.ts$/)).toEqual(['receive-rail-notification']);
    // simulate-payin signs as the simulated rail.
    expect(having(/node_modules\/@aws-sdk\/client-kms\//).sort()).toEqual([
      'receive-rail-notification',
      'simulate-payin',
    ]);
  });

  test('is built from its handler.ts, so that the rules above see all its files', () => {
    for (const { folder, inputs } of bundled) expect(inputs).toContain(`functions/${folder}/handler.ts`);
  });
});

const started = z.object({ modules: z.array(z.string()), failure: z.string(), wired: z.string() });

/**
 * Imports a module in a new Node process. Returns the built-in modules that this loaded, the error if it failed, and
 * the result of its `wire` with stand-ins for clients, time and ids.
 */
async function load(module: string, settings: Readonly<Record<string, string>> = {}) {
  const script = `
    const anything = new Proxy(() => anything, { get: () => anything });
    const started = import(${JSON.stringify(module)}).then(({ wire }) => ({ failure: '', wired: typeof wire?.(anything, anything, anything) }));
    const { failure, wired } = await started.catch((error) => ({ failure: String(error?.message ?? error), wired: '' }));
    process.stdout.write(JSON.stringify({ modules: process.moduleLoadList, failure, wired }), () => process.exit(0));`;
  const printed = await runProcess(process.execPath, ['--input-type=module', '--eval', script], { env: settings });
  return started.parse(JSON.parse(printed));
}

/** An address of AWS at which nothing listens. */
const unreachable = {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_MAX_ATTEMPTS: '1',
};

/** The function's environment as in the template; values that only a deployment knows are made up. */
function settingsFrom(environment: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = Object.entries(environment).map(([name, value]) => {
    const address = name.endsWith('_QUEUE') ? `${unreachable.AWS_ENDPOINT_URL}/queue` : 'https://service.invalid/';
    const madeUp = /_(?:QUEUE|URL)$/.test(name) ? address : `some-${name.toLowerCase()}`;
    return [name, typeof value === 'string' ? value : madeUp];
  });
  return { ...Object.fromEntries(known), ...unreachable };
}

describe('a function that starts', () => {
  const [ofStaging, ofPools] = [functionsOf(synthesise('staging')), functionsOf(withAll)];
  const others = ofPools.filter(({ name }) => !ofStaging.some((one) => one.name === name));
  const functions = [...ofStaging, ...others].map(({ name, folder, environment }) => {
    const directory = bundles.get(folder)?.directory ?? '';
    return { name, module: pathToFileURL(join(directory, 'handler.mjs')).href, settings: settingsFrom(environment) };
  });

  test.each(functions)(
    'loads no undici and no workers, finds every setting that it reads, and exports its wiring: $name',
    async ({ module, settings }) => {
      const { modules, failure, wired } = await load(module, settings);
      expect(modules.filter((name) => /undici|worker_threads/.test(name))).toEqual([]);
      expect(failure).toBe('');
      expect(wired).toBe('function');
    },
  );
});
