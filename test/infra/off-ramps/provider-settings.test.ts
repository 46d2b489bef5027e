import { expect, test } from 'vitest';
import { approvalsEnvironment, returnsEnvironment } from '#infra/off-ramps/return-environment.ts';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import { checkSettings } from '#infra/stage/read-settings.ts';
import { stageNamed, withSettings } from '#infra/stage/stages.ts';
import { mapPresent } from '#shared/platform/collections.ts';
import { blocksIn, sectionOf, textOf } from '#test/support/markdown.ts';
import { functionsOf, synthesiseStage } from '#test/support/synthesised.ts';

const page = textOf('docs/providers.md');

const [fireblocks, wompi] = ['Fireblocks', 'Wompi'].map((heading) =>
  JSON.parse(blocksIn(sectionOf(page, heading), 'json')[0] ?? ''),
);

/** The settings that the page shows of both providers. */
const example = { ...fireblocks, ...wompi, secrets: { ...fireblocks.secrets, ...wompi.secrets } };

/** The settings of a stage with those of the page, whose text a test may change. */
function settingsOf(stageName: 'staging' | 'prod', change: (text: string) => string = (text) => text) {
  const { settings } = stageNamed(stageName);
  const given = JSON.parse(change(JSON.stringify(example)));
  return checkSettings('docs/providers.md', JSON.stringify({ ...settings, ...given }), stageName);
}

test('decisions 5: production with the settings of the page accepts creations, on their networks and by their methods', () => {
  const service = synthesiseStage(withSettings(stageNamed('prod'), settingsOf('prod')));
  const environmentOf = (folder: string) => functionsOf(service).find((one) => one.folder === folder)?.environment;
  const create = environmentOf('off-ramps/create-withdrawal');
  expect(JSON.parse(String(create?.['ACCEPTED_NETWORKS']))).toEqual(['POLYGON', 'TRON']);
  expect(JSON.parse(String(create?.['CUSTODIANS']))).toEqual({ POLYGON: 'fireblocks', TRON: 'fireblocks' });
  const methods = environmentOf('pay-ins/create-payin')?.['ACCEPTED_METHODS'];
  expect(JSON.parse(String(methods))).toEqual(['PSE', 'NEQUI', 'DAVIPLATA']);
});

test('decisions 12, Registry: a network that is not chosen is not served; a token has the id of its custodian', () => {
  const settings = settingsOf('prod');
  const { custodians } = withSettings(stageNamed('prod'), settings);
  const { tokens } = readParameterLists('prod', settings);
  expect(Object.keys(custodians)).toEqual(['POLYGON', 'TRON']);
  const listed = tokens.map(({ networks }) => mapPresent(networks, (asset) => asset.custodianAssetId));
  expect(listed).toEqual([{ POLYGON: 'USDC_POLYGON_NXTB' }, { POLYGON: 'USDT_POLYGON', TRON: 'TRX_USDT_S2UZ' }]);
});

test.each<[string, [string, string], string]>([
  [
    'a network that its custodian does not describe',
    ['"TRON":"fireblocks"', '"BASE":"fireblocks"'],
    'custodians.BASE is fireblocks, which describes no BASE: add it to fireblocks.networks.',
  ],
  ['Stellar without its vault', ['"TRON"', '"STELLAR"'], 'name its vault as fireblocks.stellarVault'],
  [
    'a rail that is not described',
    ['"wompi":{"server":"production"}', '"tags":{}'],
    'rails names wompi, which is not described',
  ],
  [
    'a rail that nothing names',
    ['"rails":{"PSE":"wompi","NEQUI":"wompi","DAVIPLATA":"wompi"}', '"rails":{}'],
    'wompi is described, but rails names it for no payment method',
  ],
  [
    'a custodian that there is not',
    ['"POLYGON":"fireblocks"', '"POLYGON":"acme"'],
    'custodians.POLYGON is missing or not in its format',
  ],
  [
    'returns on a network that is not served',
    ['"returns":{"POLYGON"', '"returns":{"BASE"'],
    'returns.BASE: no custodian serves BASE here.',
  ],
  [
    'a vault that is none',
    ['"from":"7"', '"from":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"'],
    'returns.POLYGON.from must be the number of a vault, as fireblocks names accounts.',
  ],
  [
    'a treasury that is none',
    ['"treasury":["8"]', '"treasury":["8","cold"]'],
    'returns.POLYGON.treasury has cold, which is no account or address there.',
  ],
  ['the sandbox of Fireblocks', ['"us"', '"sandbox"'], 'fireblocks.server is the sandbox, where no money is'],
  ['the sandbox of Wompi', ['"production"', '"sandbox"'], 'wompi.server is the sandbox, where no money is'],
])('production with %s is refused in one sentence', (_, [from, to], sentence) => {
  expect(JSON.stringify(example)).toContain(from);
  expect(() => settingsOf('prod', (text) => text.replaceAll(from, to))).toThrow(sentence);
});

test.each([
  ['by a stage that chooses none', undefined],
  ['even where the stage chooses one of them: each would make a deposit of one movement', { POLYGON: 'evm' }],
])('a network that two custodians describe is refused %s', (_, custodians) => {
  const { evm } = JSON.parse(blocksIn(page, 'json')[0] ?? '');
  const both = JSON.stringify({ custodians, evm, fireblocks: { ...example.fireblocks, server: 'sandbox' } });
  expect(() => checkSettings('staging.json', both, 'staging')).toThrow(
    'POLYGON is described by evm and by fireblocks: describe it at its custodian alone.',
  );
});

const { evm, returns: byHand, secrets: ofEvm } = JSON.parse(blocksIn(page, 'json')[0] ?? '');
const POLYGON: { readonly from: string } = byHand.POLYGON;

test.each([
  [
    'evm without a person',
    { from: POLYGON.from },
    ': evm has no key that sends: add "byHand": true, and a person sends.',
  ],
  ['a mistyped address', { ...POLYGON, from: POLYGON.from.replace('C8', 'c8') }, '.from must be an address of POLYGON'],
  ['a vault', { ...POLYGON, from: '7' }, '.from must be an address of POLYGON, as evm names accounts.'],
])('decisions 9, sending: returns of a chain from %s are refused in one sentence', (_, route, sentence) => {
  const text = JSON.stringify({ evm, returns: { POLYGON: route } });
  expect(() => checkSettings('staging.json', text, 'staging')).toThrow(`returns.POLYGON${sentence}`);
  const simulated = JSON.stringify({ returns: { POLYGON: route } });
  expect(() => checkSettings('staging.json', simulated, 'staging')).toThrow('returns.POLYGON: the simulated custodian');
});

test('decisions 9, reading: what is returnable: functions are told the account from which each network returns, in normal form; a network that cannot return is left out', () => {
  const staging = stageNamed('staging');
  const ofChain = withSettings(
    staging,
    checkSettings('s', JSON.stringify({ evm, returns: byHand, secrets: ofEvm }), 'staging'),
  );
  expect(Object.keys(staging.returns)).toHaveLength(11);
  expect(ofChain.returns.POLYGON).toEqual({ from: POLYGON.from.toLowerCase(), treasury: [], isByHand: true });
  expect(ofChain.returns.BASE).toBeUndefined();
  expect(stageNamed('prod').returns).toEqual({});
  const prod = withSettings(stageNamed('prod'), { ...settingsOf('prod'), twoPersonsAbove: { USDC: '100' } });
  const POLYGON_OF_VAULT = { POLYGON: { from: '7', treasury: ['8'], isByHand: false } };
  expect(JSON.parse(returnsEnvironment(prod).RETURNS)).toEqual(POLYGON_OF_VAULT);
  expect(JSON.parse(approvalsEnvironment(prod).ONE_PERSON_UP_TO)).toMatchObject({ USDC_POLYGON_NXTB: '100' });
});

test('decisions 12, what a provider needs: the credentials of the Fireblocks sender are there only where the service itself sends', () => {
  const sendersOf = (change?: (text: string) => string) => {
    const { custodians } = withSettings(stageNamed('prod'), settingsOf('prod', change));
    return custodians.POLYGON?.members.send?.secrets;
  };
  expect(sendersOf()).toEqual(['FIREBLOCKS_SENDER']);
  expect(sendersOf((text) => text.replace('"from":"7"', '"from":"7","byHand":true'))).toBeUndefined();
});
