import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { runProcess } from '#infra/local/run-process.ts';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import { parameterLists } from '#shared/parameters/parameter-lists.ts';
import { functionsOf, type StageName, stageNames, synthesise } from '#test/support/synthesised.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Code of the bank with which PSE is tested. */
const TEST_BANK = '1022';

/** The files of the other stages are the company's own, so only those of local are tested. */
describe('the parameter files of local', () => {
  const { banks, tokens } = readParameterLists('local');

  test('have the banks of PSE', () => {
    expect(banks.length).toBeGreaterThan(50);
    expect(banks).toContainEqual({ id: 'bancolombia', code: '1007', name: 'Bancolombia', active: true });
    expect(banks.some(({ code }) => code === TEST_BANK)).toBe(true);
  });

  test('have banks that are active and some that are not', () => {
    const inactive = banks.filter(({ active }) => !active);
    expect(inactive.length).toBeGreaterThanOrEqual(2);
    expect(inactive.length).toBeLessThan(banks.length / 2);
  });

  test('have USDC as token 1 and USDT as token 2, active and with a logo', () => {
    const active = tokens.filter((token) => token.active);
    expect(active.map(({ tokenId, token }) => [tokenId, token])).toEqual([
      [1, 'USDC'],
      [2, 'USDT'],
    ]);
    for (const { logoBase64 } of active) {
      expect(Buffer.from(logoBase64 ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG');
    }
  });
});

test('production does not have the test bank of PSE', () => {
  expect(readParameterLists('prod').banks.filter(({ code }) => code === TEST_BANK)).toEqual([]);
});

describe.each(stageNames)('the parameter files of %s', (stageName) => {
  const { banks, tokens } = readParameterLists(stageName);

  test('have codes of PSE; the codes of wallets begin with 15 to 18', () => {
    expect(banks.filter(({ code }) => !/^1\d{3}$/.test(code))).toEqual([]);
  });

  test('have the decimals that a token has on each network, and the assets of the simulated custodian', () => {
    const decimalsElsewhere: Readonly<Record<string, number>> = { BSC: 18, STELLAR: 7 };
    for (const { token, networks } of tokens) {
      for (const [network, asset] of Object.entries(networks)) {
        const decimals = decimalsElsewhere[network] ?? 6;
        expect(asset).toMatchObject({ custodianAssetId: `${network}:${token}`, decimals });
      }
    }
  });
});

test('banks and tokens have the same ids on every stage', () => {
  const idsOf = (stageName: StageName) => {
    const { banks, tokens } = readParameterLists(stageName);
    return new Map([
      ...banks.map(({ id, code }) => [code, id] as const),
      ...tokens.map((one) => [one.token, String(one.tokenId)] as const),
    ]);
  };
  const all = idsOf('local');
  for (const stageName of stageNames) expect([...all]).toEqual(expect.arrayContaining([...idsOf(stageName)]));
});

describe.each(stageNames)('the lists in the deployment of %s', (stageName) => {
  const service = synthesise(stageName);
  const properties = z.object({
    ServiceToken: z.unknown(),
    ServiceTimeout: z.string(),
    Lists: z.string(),
    Loader: z.string(),
  });
  const loaded = service.ofType('Custom::ParameterLists', properties);

  test('are the lists of the files, passed as one text to the function that loads them', () => {
    const lists = loaded.map((resource) => parameterLists.parse(JSON.parse(resource.properties.Lists)));
    expect(lists).toEqual([readParameterLists(stageName)]);
    expect(loaded.map((resource) => service.text(resource.properties.ServiceToken))).toEqual([
      '<Parameters/load-parameters/Function.Arn>',
    ]);
  });

  test('are loaded again when the loading function has changed', () => {
    expect(loaded.map((resource) => resource.properties.Loader)).toEqual([expect.stringMatching(/^[\da-f]{64}$/)]);
  });

  test('fail the deployment within minutes when the function does not answer', () => {
    for (const resource of loaded) expect(Number(resource.properties.ServiceTimeout)).toBeLessThanOrEqual(300);
  });

  test('are loaded once the function may write them', () => {
    const [loader] = functionsOf(service).filter(({ name }) => name === 'load-parameters');
    const apart = service.resources.filter(
      ({ type, path }) => type === 'AWS::IAM::Policy' && path.startsWith('Parameters/'),
    );
    expect(service.text(loader?.properties.Role)).toBe('<Parameters/load-parameters/Role.Arn>');
    expect(apart).toEqual([]);
  });

  test('are not loaded by a second try of Lambda, long after the first', () => {
    const invocations = service.ofType(
      'AWS::Lambda::EventInvokeConfig',
      z.object({ FunctionName: z.unknown(), MaximumRetryAttempts: z.int(), MaximumEventAgeInSeconds: z.int() }),
    );
    const ofLoader = invocations.filter(
      (config) => service.text(config.properties.FunctionName) === '<Parameters/load-parameters/Function>',
    );
    expect(ofLoader.map((config) => config.properties)).toMatchObject([
      { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
    ]);
  });
});

describe('a broken file', () => {
  let outdir = '';
  beforeAll(async () => {
    outdir = await mkdtemp(join(tmpdir(), 'payin-offramp-broken-'));
  });
  afterAll(() => rm(outdir, { recursive: true, force: true }));

  test('fails the synthesis with its path, its line and its fault', { timeout: 180_000 }, async () => {
    const planted = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { readFileSync } = fs;
      fs.readFileSync = (file, ...how) => {
        const content = readFileSync(file, ...how);
        return String(file).endsWith('local/banks.json') ? content.replace('"1007"', '"107"') : content;
      };
      syncBuiltinESMExports();`;
    const preload = `data:text/javascript,${encodeURIComponent(planted)}`;
    const synthesis = runProcess(process.execPath, ['--import', preload, 'infra/app.ts'], {
      cwd: root,
      env: { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: '{"stage":"local"}' },
    });
    await expect(synthesis).rejects.toThrow(/infra\/parameters\/local\/banks\.json:5: code must be four digits\n/);
  });
});
