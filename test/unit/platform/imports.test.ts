import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { type Import, importsOf, importsOfFolders } from '#test/support/imports-of.ts';

const everything = importsOfFolders(['shared', 'functions', 'infra', 'sdk']);

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Which modules each may import, besides itself: shared/<module> and functions/<module> alike. */
const modules: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  events: ['platform'],
  networks: ['platform'],
  docs: ['platform'],
  parameters: ['platform', 'events', 'networks'],
  clients: ['platform', 'events', 'networks', 'parameters'],
  'off-ramps': ['platform', 'events', 'networks', 'parameters', 'clients'],
  'pay-ins': ['platform', 'events', 'networks', 'parameters', 'clients'],
  webhooks: ['platform', 'events', 'networks', 'parameters', 'clients'],
  canary: ['platform'],
  operators: ['platform', 'events', 'networks', 'parameters', 'clients', 'off-ramps', 'pay-ins', 'webhooks'],
};

/** The rooms of a module, from the ground up: each imports those before it, and none after it. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'off-ramps': ['custodians', 'model', 'contract', 'store', 'transitions'],
  webhooks: ['model', 'contract', 'http-client', 'store', 'delivery'],
};

/** The rooms of infra, from the ground up: each imports those below, none beside it and none above. */
const infraFloors: readonly (readonly string[])[] = [
  ['site'],
  ['bundle', 'settings'],
  ['stage'],
  ['platform'],
  ['events', 'parameters'],
  ['clients', 'docs', 'off-ramps', 'pay-ins', 'webhooks'],
  ['operators'],
  ['api'],
  ['stacks'],
  ['cli'],
  ['local'],
];

const floorOf = (room: string) => infraFloors.findIndex((floor) => floor.includes(room));

/** Files that run in functions only. */
const RUNS = /^shared\/platform\/(?:dynamodb|aws)\/|^shared\/.*-(?:store|repository)\.ts$/;

/** Files that only some files may import, even where others may import their module. */
const reserved: readonly { readonly what: RegExp; readonly to: RegExp; readonly because: string }[] = [
  {
    what: /^shared\/platform\/http\/endpoint\.ts$/,
    to: /^shared\/(?:platform\/http\/endpoints|clients\/approved-endpoint)\.ts$/,
    because: 'a route is wired by the endpoint of its contract’s access',
  },
  {
    what: /^shared\/(?:platform\/http\/endpoints|clients\/approved-endpoint)\.ts$/,
    to: /^functions\/|^shared\/platform\/operators\/(?:route-by-path|audited)\.ts$/,
    because: 'a route is wired where its handler can be seen to be',
  },
  {
    what: /^@middy\//,
    to: /^shared\/platform\/http\//,
    because: 'a route is wired by the endpoint of its contract’s access',
  },
  {
    what: /^shared\/platform\/http\/api-error\.ts$/,
    to: /^(?:shared\/platform\/(?:http|operators)|functions|infra)\/|^shared\/(?:clients\/(?:approved-endpoint|no-client|closed-user)|parameters\/no-parameter|pay-ins\/no-pay-in|off-ramps\/(?:transitions\/begin-attempt|store\/owned-off-ramp|custodians\/or-service-unavailable)|webhooks\/(?:contract\/no-webhook|store\/owned-webhook|delivery\/(?:resend|replay-messages)))\.ts$/,
    because:
      'what is not a route throws domain errors; what a client is told of them is decided by use cases of routes',
  },
  {
    what: /^shared\/(?:off-ramps\/custodians|pay-ins\/rails)\/[^/]+\//,
    to: /^(?:shared|infra|functions\/[^/]+\/simulate-[^/]+)\//,
    because: 'the stage chooses the adapter: take those of custodians.ts or paymentRailSetting()',
  },
  {
    what: /^(?:aws-cdk-lib|constructs|cdk-nag|@aws-cdk)(?:\/|$)/,
    to: /^infra\//,
    because: 'only infra knows how the service is deployed',
  },
  {
    what: /^sdk\//,
    to: /^(?:infra|(?:shared|functions)\/canary)\//,
    because: 'no function but the canary calls the service as its clients do',
  },
  {
    what: /^(?:node:)?module$/,
    to: /^infra\//,
    because: 'a require is an import that nobody sees',
  },
];

/** Why a file may not import what it does; `undefined` when it may. */
function refusal(one: Import): string | undefined {
  const { from, to } = one;
  if (to === '?') return 'an import names its file';
  const rule = reserved.find(({ what, to: who }) => what.test(to) && !who.test(from) && !what.test(from));
  if (rule !== undefined) return rule.because;
  if (isUpstairs(from, to)) return 'it is in a room above';
  return /^(?:shared|functions|infra|test)\//.test(to) ? refusalBetween(one) : undefined;
}

function refusalBetween({ from, to }: Import): string | undefined {
  const [top = '', module = '', folder] = from.split('/');
  const [ofTop, ofModule = '', ofFolder] = to.split('/');
  if (top === 'sdk') return ofTop === 'sdk' ? undefined : 'the typed client is importable on its own';
  if (top === 'infra') {
    const isWritten = ofTop === 'infra' || ofTop === 'sdk' || (ofTop === 'shared' && !RUNS.test(to));
    return isWritten ? undefined : 'infra imports contracts and rules, nothing that runs in a function';
  }
  if (ofTop === 'shared') {
    const may = ofModule === module || modules[module]?.includes(ofModule);
    return may ? undefined : `${module} does not import ${ofModule}`;
  }
  const isItsOwn = top === 'functions' && ofTop === top && ofModule === module && ofFolder === folder;
  return isItsOwn ? undefined : `${top} imports neither functions nor infra`;
}

function isUpstairs(from: string, to: string): boolean {
  const [[top = '', module = '', room = ''], [ofTop, ofModule = '', ofRoom = '']] = [from.split('/'), to.split('/')];
  if (top !== ofTop) return false;
  if (top === 'infra') return module !== ofModule && room !== '' && floorOf(ofModule) >= floorOf(module);
  const floors = top === 'shared' && ofModule === module ? rooms[module] : undefined;
  return floors !== undefined && floors.indexOf(ofRoom) > floors.indexOf(room);
}

const refused = (imports: readonly Import[]) =>
  imports.flatMap((one) => {
    const because = refusal(one);
    return because === undefined ? [] : [`${one.from} imports ${one.to}: ${because}`];
  });

describe('house 1: which module may import which', () => {
  test('every file of the service follows the table', () => {
    expect(everything.length).toBeGreaterThan(3000);
    expect(refused(everything)).toEqual([]);
  });

  test('at most 8 of 100 imports cross modules, besides those of platform', () => {
    const moduleOf = (file: string) => /^(?:shared|functions)\/([^/]+)/.exec(file)?.[1];
    const between = everything.filter(({ from, to }) => moduleOf(from) !== undefined && moduleOf(to) !== undefined);
    const crossing = between.filter(({ from, to }) => !['platform', moduleOf(from)].includes(moduleOf(to)));
    expect(crossing.length / between.length).toBeLessThanOrEqual(0.08);
  });

  test('a file imports another in one statement, its types and its values', () => {
    const statements = everything.flatMap(({ from, to, names }) => (names.length > 0 ? [`${from} imports ${to}`] : []));
    expect(statements.filter((one, at) => statements.indexOf(one) !== at)).toEqual([]);
  });

  test('no import leads back to its file, types included', () => {
    const importsOfFile = Map.groupBy(everything, ({ from }) => from);
    const finished = new Set<string>();
    const circleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (finished.has(file)) return undefined;
      for (const { to } of importsOfFile.get(file) ?? []) {
        const circle = circleFrom(to, [...path, file]);
        if (circle !== undefined) return circle;
      }
      finished.add(file);
      return undefined;
    };
    for (const file of importsOfFile.keys()) expect(circleFrom(file, [])).toBeUndefined();
  });

  test('the table has every module, and none that is not there', () => {
    const found = everything.flatMap(({ from }) => /^(?:shared|functions)\/([^/]+)\//.exec(from)?.[1] ?? []);
    expect(new Set(Object.keys(modules))).toEqual(new Set(found));
  });

  test('each file of a module with rooms is in one of them', () => {
    for (const [module, floors] of Object.entries(rooms)) {
      const found = everything.flatMap(({ from }) => new RegExp(`^shared/${module}/([^/]+)`).exec(from)?.[1] ?? []);
      expect(new Set(found)).toEqual(new Set(floors));
    }
    const ofInfra = everything.flatMap(({ from }) => /^infra\/([^/]+)\//.exec(from)?.[1] ?? []);
    expect(infraFloors.flat()).toEqual(expect.arrayContaining([...new Set(ofInfra)]));
  });

  test.each([
    `import { mayBecome } from '../off-ramps/model/off-ramp.ts';`,
    `import { mayBecome } from '#shared/off-ramps/model/off-ramp.ts';`,
    `import type { OffRamp } from "./../../shared/off-ramps/model/off-ramp.ts";`,
    `export * from '#shared/pay-ins/../off-ramps/model/off-ramp.ts';`,
    `export { mayBecome } from '../off-ramps/model/off-ramp.ts';`,
    `type OffRamp = import('../off-ramps/model/off-ramp.ts').OffRamp;`,
    `const { mayBecome } = await import('../off-ramps/model/off-ramp.ts');`,
    'const { mayBecome } = await import(`../off-ramps/model/off-ramp.ts`);',
    `const { mayBecome } = await import(['..', 'off-ramps/model/off-ramp.ts'].join('/'));`,
    `const { mayBecome } = require('../off-ramps/model/off-ramp.ts');`,
    `import { createRequire } from 'node:module';`,
    `import { mayBecome } from '../off%2Dramps/model/off-ramp.ts';`,
  ])('however it is spelled, pay-ins does not import off-ramps: %s', (source) => {
    expect(refused(importsOf('shared/pay-ins/settle-pay-in.ts', source))).toHaveLength(1);
  });

  test.each([
    ['shared/platform/retry.ts', `import '#shared/events/event-repository.ts';`],
    ['shared/clients/client-repository.ts', `import '../../functions/clients/issue-token/handler.ts';`],
    ['functions/clients/issue-token/handler.ts', `import '../get-client-info/handler.ts';`],
    ['functions/clients/issue-token/handler.ts', `import '#infra/stage/stages.ts';`],
    ['functions/off-ramps/match-deposit/handler.ts', `import '#test/support/ids.ts';`],
    ['infra/stage/stages.ts', `import '../functions/clients/issue-token/handler.ts';`],
    ['infra/stage/stages.ts', `import '../shared/webhooks/store/webhook-repository.ts';`],
    ['shared/off-ramps/model/deposit.ts', `import '../transitions/credit-deposit.ts';`],
    ['infra/platform/route.ts', `import '../stacks/service-apis.ts';`],
    ['infra/pay-ins/routes.ts', `import '../off-ramps/routes.ts';`],
    ['shared/clients/client-keys.ts', `import '#sdk/connect.ts';`],
    ['sdk/connect.ts', `import '../shared/platform/clock.ts';`],
    ['shared/webhooks/model/webhook.ts', `import 'aws-cdk-lib/aws-sqs';`],
  ])('%s does not: %s', (from, source) => {
    expect(refused(importsOf(from, source))).toHaveLength(1);
  });
});

describe('house 3: the guard of approved clients cannot be bypassed', () => {
  const handler = 'functions/off-ramps/cancel-operation/handler.ts';

  test.each([
    `import { endpoint } from '../../../shared/platform/http/endpoint.ts';`,
    `import { endpoint as approvedEndpoint } from '#shared/platform/http/endpoint.ts';`,
    `export * from '../../../shared/platform/http/endpoint.ts';`,
    `const { endpoint } = await import('../../../shared/platform/http/endpoint.ts');`,
    `import middy from '@middy/core';`,
  ])('by a handler that takes %s', (source) => {
    expect(refused(importsOf(handler, source))).toHaveLength(1);
  });

  test('by a file that passes another way in on', () => {
    for (const from of ['shared/off-ramps/open-endpoint.ts', 'shared/platform/open-endpoint.ts']) {
      for (const way of ['endpoint', 'endpoints'])
        expect(refused(importsOf(from, `export * from '#shared/platform/http/${way}.ts';`))).toHaveLength(1);
    }
  });

  const reservedRoutes = [...endpoints, ...sandboxEndpoints].filter(
    ({ contract: { access } }) => access === 'approved-client',
  );

  test.each(reservedRoutes.map(({ folder }) => folder))('%s is wired by approvedEndpoint alone', (folder) => {
    const ways = everything.filter(
      ({ from, to }) => from.startsWith(`functions/${folder}/`) && /endpoints?\.ts$/.test(to),
    );
    expect(ways).toEqual([
      {
        from: `functions/${folder}/handler.ts`,
        to: 'shared/clients/approved-endpoint.ts',
        names: expect.arrayContaining(['approvedEndpoint']),
      },
    ]);
  });
});

describe('house 1: platform knows no business', () => {
  /** Words of the business. Clients and their users are not among them: they are the callers. */
  const business =
    /pay[-_]?in|off[-_]?ramp|withdrawal|deposit|tx_?hash|payout|operation_?id|webhook|deliver(?:y|ies)|custodian|\brails?\b|bank|wallet|compliance/i;

  const names = (source: string) => source.split('\n').filter((line) => business.test(line));

  test('no file of platform has a word of the business', () => {
    const found = globSync('shared/platform/**/*.ts', { cwd: root }).flatMap((file) =>
      names(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    'readonly payinId?: string;',
    "provider: 'custodian' | 'rail',",
    'const DELIVERY_DAYS = 90;',
    '/** Longer than a webhook may fail. */',
    "OFF_RAMP_NOT_FOUND: [404, ''],",
    'operationId: id,',
  ])('and a file that did would be found: %s', (line) => expect(names(line)).toHaveLength(1));
});
