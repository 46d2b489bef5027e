import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BrokenParameters, readDepositTerms, readParameterLists } from '#infra/parameters/read-parameter-lists.ts';

const directory = mkdtempSync(join(tmpdir(), 'payin-offramp-parameters-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const LOGO = Buffer.from('89504e470d0a1a0a00', 'hex');
mkdirSync(join(directory, 'logos'));
writeFileSync(join(directory, 'logos', 'good.png'), LOGO);
writeFileSync(join(directory, 'logos', 'large.png'), Buffer.concat([LOGO, Buffer.alloc(2000)]));
writeFileSync(join(directory, 'logos', 'text.png'), 'no picture');

const BANKS = `[
  { "id": "bancolombia", "code": "1007", "name": "Bancolombia", "active": true },
  { "id": "nequi", "code": "1507", "name": "Nequi", "active": false }
]`;
const TOKENS = `[
  {
    "id": 1,
    "token": "USDC",
    "active": true,
    "registerDate": "2026-11-21",
    "logo": "good.png",
    "networks": {
      "POLYGON": { "custodianAssetId": "POLYGON:USDC", "decimals": 6, "minimumDeposit": "0.5", "minimum": "1", "maximum": "500" }
    }
  },
  { "id": 2, "token": "USDT", "active": false, "networks": {} }
]`;

/** Name of a stage that has these files. */
function stageOf({ banks = BANKS, tokens = TOKENS }) {
  const stage = mkdtempSync(join(directory, 'stage-'));
  writeFileSync(join(stage, 'banks.json'), banks);
  writeFileSync(join(stage, 'tokens.json'), tokens);
  return stage.slice(directory.length);
}

const read = (files: { banks?: string; tokens?: string }) => readParameterLists(stageOf(files), {}, directory);

/** The complaints about broken files, without the folder that the files are in. */
function complaints(files: { banks?: string; tokens?: string }): readonly string[] {
  try {
    read(files);
  } catch (error) {
    if (error instanceof BrokenParameters) return error.message.split('\n').map((line) => line.replace(/^.*\//, ''));
    throw error;
  }
  return [];
}

describe('the parameter files of a stage', () => {
  test('are read as the lists that are loaded', () => {
    expect(read({})).toEqual({
      banks: [
        { id: 'bancolombia', code: '1007', name: 'Bancolombia', active: true },
        { id: 'nequi', code: '1507', name: 'Nequi', active: false },
      ],
      tokens: [
        {
          tokenId: 1,
          token: 'USDC',
          active: true,
          registerDate: '2026-11-21',
          logoBase64: LOGO.toString('base64'),
          networks: { POLYGON: { custodianAssetId: 'POLYGON:USDC', decimals: 6, minimum: '1', maximum: '500' } },
        },
        { tokenId: 2, token: 'USDT', active: false, networks: {} },
      ],
    });
  });

  test('say what deposits have to reach and what sending them back costs and when it takes one person, by the custodian’s id of a token', () => {
    const more = TOKENS.replace(
      '"networks": {}',
      '"networks": { "TRON": { "custodianAssetId": "T", "decimals": 6, "minimumDeposit": "1", "minimum": "0.2", "maximum": "1", "returnFee": "2.5" } }',
    );
    const stage = stageOf({ tokens: more });
    expect(readDepositTerms(stage, { twoPersonsAbove: { USDC: '100' } }, directory)).toEqual({
      minimumDeposits: { 'POLYGON:USDC': '0.5', T: '1' },
      dustBelow: { 'POLYGON:USDC': '0.5', T: '0.2' },
      decimals: { 'POLYGON:USDC': 6, T: 6 },
      returnFees: { 'POLYGON:USDC': '0', T: '2.5' },
      onePersonUpTo: { 'POLYGON:USDC': '100' },
    });
  });

  test('keep what deposits of a token have to reach on a network where it takes no new order', () => {
    const stage = stageOf({ tokens: TOKENS.replace('"decimals"', '"active": false, "decimals"') });
    const [usdc] = readParameterLists(stage, {}, directory).tokens;
    expect(usdc).toMatchObject({ active: true, networks: {} });
    expect(readDepositTerms(stage, {}, directory).minimumDeposits).toEqual({ 'POLYGON:USDC': '0.5' });
  });

  test('are named by their path in the project when they are broken', () => {
    expect(() => read({ banks: '[' })).toThrow(/stage-\w+\/banks\.json:1: the file ends too early$/);
  });
});

describe('a broken banks.json is reported with line and fault:', () => {
  const withBank = (entry: string) => complaints({ banks: BANKS.replace(/ {2}\{ "id": "nequi".*/, entry) });

  test.each([
    ['{ "id": "nequi", "code": "157", "name": "Nequi", "active": true }', 'code must be four digits'],
    ['{ "id": "nequi", "code": 1507, "name": "Nequi", "active": true }', 'code must be of type string'],
    ['{ "id": "nequi", "name": "Nequi", "active": true }', 'code is missing'],
    ['{ "id": "nequi", "code": "1507", "name": " Nequi", "active": true }', 'name must not be empty, nor begin'],
    ['{ "id": "Nequi", "code": "1507", "name": "Nequi", "active": true }', 'id must be lower-case words'],
    ['{ "id": "nequi", "code": "1507", "name": "Nequi", "active": "true" }', 'active must be of type boolean'],
    ['{ "id": "nequi", "code": "1507", "name": "N", "active": true, "status": 1 }', 'status is not known'],
    ['{ "id": "bancolombia", "code": "1507", "name": "N", "active": true }', 'id must not be used twice: bancolombia'],
    ['{ "id": "nequi", "code": "1007", "name": "N", "active": true }', 'code must not be used twice: 1007'],
    [
      '{ "id": "nequi", "code": "1507", "name": "Bancolombia", "active": true }',
      'name must not be used twice: Bancolombia',
    ],
    ['"nequi"', 'the entry must be of type object'],
    ['{ "id": "nequi", "id": "nequi" }', 'id is repeated'],
    ['', '] is not expected here'],
  ])('%s', (entry, fault) => {
    const [complaint, ...others] = withBank(entry);
    expect(others).toEqual([]);
    expect(complaint?.startsWith(`banks.json:${entry === '' ? 4 : 3}: ${fault}`)).toBe(true);
  });

  test('all faults at once, in the order of their lines', () => {
    expect(
      complaints({
        banks: `[
  {
    "id": "one",
    "code": "x",
    "name": "One",
    "active": 1
  },
  { "code": "1507", "name": "Two", "active": true }
]`,
      }),
    ).toEqual([
      'banks.json:4: code must be four digits',
      'banks.json:6: active must be of type boolean',
      'banks.json:8: id is missing',
    ]);
  });

  test('no list', () => {
    expect(complaints({ banks: '\n{}' })).toEqual(['banks.json:2: the list must be of type array']);
  });
});

describe('a broken tokens.json is reported with line and fault:', () => {
  test.each([
    ['"id": 1,', '"id": "1",', 'tokens.json:3: id must be of type number'],
    ['"id": 1,', '"id": 0,', 'tokens.json:3: id must be at least 1'],
    ['"id": 1,', '"id": 2,', 'tokens.json:12: id must not be used twice: 2'],
    ['"token": "USDC"', '"token": "usdc"', 'tokens.json:4: token must be 2 to 12 capitals and digits'],
    ['"token": "USDC"', '"token": "USDT"', 'tokens.json:12: token must not be used twice: USDT'],
    ['"2026-11-21"', '"21.11.2026"', 'tokens.json:6: registerDate must be a date like 2026-11-21'],
    ['"2026-11-21"', '"2026-02-30"', 'tokens.json:6: registerDate must be a date like 2026-11-21'],
    ['good.png', '../good.png', 'tokens.json:7: logo must be the name of a PNG file'],
    ['good.png', 'none.png', 'tokens.json:7: logo must be a PNG of at most 2000 bytes in the folder of the logos'],
    ['good.png', 'text.png', 'tokens.json:7: logo must be a PNG of at most 2000 bytes in the folder of the logos'],
    ['good.png', 'large.png', 'tokens.json:7: logo must be a PNG of at most 2000 bytes in the folder of the logos'],
    ['"POLYGON": {', '"POLYGN": {', 'tokens.json:9: networks.POLYGN is not known'],
    ['"decimals": 6', '"decimals": -1', 'tokens.json:9: networks.POLYGON.decimals must be at least 0'],
    [', "minimumDeposit": "0.5"', '', 'tokens.json:9: networks.POLYGON.minimumDeposit is missing'],
    ['"0.5"', '"0"', 'tokens.json:9: networks.POLYGON.minimumDeposit must be an amount above 0, such as "0.5"'],
    ['"0.5"', '"0.0000001"', 'tokens.json:9: networks.POLYGON.minimumDeposit must have at most 6 decimals'],
    [
      '"0.5"',
      '"0.5", "returnFee": "-1"',
      'tokens.json:9: networks.POLYGON.returnFee must be an amount above 0, such as "0.5"',
    ],
    [
      '"minimum": "1"',
      '"minimum": "0"',
      'tokens.json:9: networks.POLYGON.minimum must be an amount above 0, such as "0.5"',
    ],
    [
      '"minimum": "1"',
      '"minimum": "1.0000001"',
      'tokens.json:9: networks.POLYGON.minimum must have at most 6 decimals',
    ],
    [
      '"maximum": "500"',
      '"maximum": "5e2"',
      'tokens.json:9: networks.POLYGON.maximum must be an amount above 0, such as "0.5"',
    ],
    ['"maximum": "500"', '"maximum": "0.999999"', 'tokens.json:9: networks.POLYGON.maximum must be at least 1'],
    ['"decimals": 6', '"decimals": 19', 'tokens.json:9: networks.POLYGON.decimals must be at most 18'],
    ['"networks": {}', '"network": {}', 'tokens.json:12: networks is missing'],
    [
      '"networks": {}',
      '"networks": { "TRON": { "custodianAssetId": "POLYGON:USDC", "decimals": 6, "minimumDeposit": "1", "minimum": "1", "maximum": "1" } }',
      'tokens.json:12: networks.TRON.custodianAssetId must not be used twice: POLYGON:USDC',
    ],
  ])('%s as %s', (right, wrong, complaint) => {
    expect(complaints({ tokens: TOKENS.replace(right, wrong) })[0]).toBe(complaint);
  });
});
