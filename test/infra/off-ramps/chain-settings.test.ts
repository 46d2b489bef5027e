import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkSettings } from '#infra/stage/read-settings.ts';
import { type Stage, stageNamed, withSettings } from '#infra/stage/stages.ts';
import { appOf } from '#test/support/synthesised.ts';

const page = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');
const example = /```json\n([^`]*)```/.exec(page)?.[1] ?? '';

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.optional(
        z.looseObject({
          Description: z.optional(z.unknown()),
          Environment: z.optional(z.object({ Variables: z.record(z.string(), z.unknown()) })),
        }),
      ),
    }),
  ),
});

function templatesOf(stage: Stage) {
  const { service, operators } = appOf(stage);
  return [service, operators].map((stack) => Template.fromStack(stack).toJSON());
}

/** The environment of each function of a stage with the page's settings, by folder. */
function environments(stageName: 'staging' | 'prod', change: (text: string) => string = (text) => text) {
  const stage = stageNamed(stageName);
  const given = JSON.parse(change(example));
  const text = JSON.stringify(stageName === 'prod' ? { ...stage.settings, ...given } : given);
  const { evm, secrets } = checkSettings('docs/providers.md', text, stageName);
  const templates = templatesOf(withSettings(stage, { ...stage.settings, evm, secrets }));
  const resources = templates.flatMap((one) => Object.values(template.parse(one).Resources));
  const functions = resources.flatMap(({ Properties }) => {
    const folder = /(off-ramps\/[a-z-]+)\./.exec(String(Properties?.Description))?.[1];
    return folder === undefined ? [] : [[folder, Properties?.Environment?.Variables ?? {}] as const];
  });
  return new Map(functions);
}

test('decisions 12, the chain itself: the example of a stage on two testnets is synthesised; functions that ask the chain have its nodes, those that give addresses only the account', () => {
  const found = environments('staging');
  const given = (variable: string) =>
    [...found].filter(([, variables]) => variable in variables).map(([folder]) => folder);
  expect(given('EVM_ACCOUNT_KEY')).toEqual(['off-ramps/create-withdrawal']);
  const askers = [
    'cancel-operation',
    'check-deposit',
    'end-expired-operations',
    'match-deposit',
    'operate-off-ramps',
    'receive-custodian-notification',
    'reconcile-custodian',
  ];
  for (const variable of ['EVM_NODES', 'EVM_CHAINS', 'PROVIDER_LIMITS_TABLE']) {
    expect(
      given(variable)
        .map((folder) => folder.replace('off-ramps/', ''))
        .sort(),
    ).toEqual(askers);
  }
  expect(JSON.parse(String(found.get('off-ramps/check-deposit')?.['CUSTODIANS']))).toMatchObject({
    BASE: 'evm',
    ETHEREUM: 'simulated',
  });
});

const ownAccount = (text: string) => text.replace(/0xf39\w+/, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
const mainnet = (text: string) => ownAccount(text).replace('80002', '137').replace('84532', '8453');

test('decisions 5, production without a real rail or custodian: it accepts orders on the networks that it reads from their nodes, and on no simulated one', () => {
  const accepted = environments('prod', mainnet).get('off-ramps/create-withdrawal')?.['ACCEPTED_NETWORKS'];
  expect(JSON.parse(String(accepted)).sort()).toEqual(['BASE', 'POLYGON']);
});

test.each<[string, [string, string], string]>([
  [
    'an address with a typing error',
    ['0xf39Fd6e5', '0xf39fd6e5'],
    'evm.account.firstAddress is missing or not in its format',
  ],
  ['a contract that is no address', ['0x41E94Eb0', '0x41E94E'], 'evm.chains.POLYGON.tokens.0.contract is missing'],
  ['a network that is no EVM network', ['"BASE": {', '"SOLANA": {'], 'evm.chains is missing or not in its format'],
  [
    'a token that the stage does not have',
    ['"POLYGON:USDC"', '"POLYGON:USDX"'],
    'no token has POLYGON:USDX with 6 decimals on POLYGON',
  ],
  ['other decimals', ['"decimals": 6', '"decimals": 18'], 'no token has POLYGON:USDC with 18 decimals on POLYGON'],
  ['the chain of another network', ['80002', '8453'], 'evm.chains.POLYGON.chainId is that of BASE'],
  ['one chain as two networks', ['80002', '84532'], 'chainId is that of another network, too'],
  ['a secret by its ARN', ['payments/evm-nodes', 'arn:aws:x'], 'secrets.EVM_NODES is missing or not in its format'],
  [
    'a secret without a name',
    ['"EVM_NODES": "payments/evm-nodes", ', ''],
    'which secret of Secrets Manager is EVM_NODES',
  ],
])('settings with %s are refused in one sentence', (_, [from, to], sentence) => {
  expect(example).toContain(from);
  expect(() => environments('staging', (text) => text.replace(from, to))).toThrow(sentence);
});

test.each<[string, (text: string) => string, string]>([
  ['keys that everybody knows', (text) => text, 'evm.account.firstAddress is of keys that everybody knows'],
  ['a testnet', ownAccount, 'evm.chains.POLYGON.chainId must be that of the network itself, 137'],
  [
    'a depth in place of the finalized block',
    (text) => mainnet(text).replace('"chainId": 137,', '"chainId": 137, "requiredConfirmations": 1,'),
    'requiredConfirmations is for chains without a finalized block',
  ],
])('production with %s is refused in one sentence: nobody may be paid for worthless tokens', (_, change, sentence) => {
  expect(() => environments('prod', change)).toThrow(sentence);
});

test('decisions 12, the chain itself: where a network is read from its nodes, two that disagree call somebody, and one that is behind is a notice', () => {
  const staging = stageNamed('staging');
  const nodeAlarms = (stage: Stage) =>
    templatesOf(stage)
      .flatMap((one) => Object.entries(template.parse(one).Resources))
      .flatMap(([id, { Type }]) => (Type === 'AWS::CloudWatch::Alarm' && /^CustodianNode/.test(id) ? id : [])).length;
  const { evm, secrets } = checkSettings('docs/providers.md', example, 'staging');
  expect([nodeAlarms(staging), nodeAlarms(withSettings(staging, { evm, secrets }))]).toEqual([0, 2]);
});
