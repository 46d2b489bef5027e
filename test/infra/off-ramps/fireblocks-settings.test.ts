import { expect, test } from 'vitest';
import { providerFault } from '#infra/stage/provider-settings.ts';
import { fireblocksSettings } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';

const POLYGON = { baseAsset: 'MATIC_POLYGON', assets: { USDC: 'USDC_POLYGON_NXTB', USDT: 'USDT_POLYGON' } };

const faultOf = (networks: Record<string, typeof POLYGON>) =>
  providerFault(
    { fireblocks: { server: 'us', networks, callsPerMinute: 300, unknownHashesPercent: 50, poolSize: 500 } },
    false,
  );

test('an asset of Fireblocks is one token on one network: otherwise one token would be credited as another', () => {
  const twice = (id: string) => `fireblocks.networks has ${id} twice: one token would be credited as another.`;
  const [usdc, usdt] = ['USDC_POLYGON_NXTB', 'USDT_POLYGON'];
  expect(faultOf({ POLYGON })).toBeUndefined();
  expect(faultOf({ POLYGON: { ...POLYGON, assets: { USDC: usdc, USDT: usdc } } })).toBe(twice(usdc));
  const BASE = { baseAsset: 'ETH_BASE', assets: { USDC: 'USDC_BASE', USDT: usdt } };
  expect(faultOf({ POLYGON, BASE })).toBe(twice(usdt));
  expect(faultOf({ POLYGON, BASE: { ...BASE, baseAsset: 'MATIC_POLYGON' } })).toBe(twice('MATIC_POLYGON'));
  const coin = { baseAsset: 'ETH', assets: { USDC: 'USDC', USDT: 'ETH' } };
  expect(faultOf({ ETHEREUM: coin })).toBeUndefined();
});

test('the id of the workspace is a UUID, in upper or lower case', () => {
  const parsed = (workspaceId: string) => fireblocksSettings.safeParse({ server: 'us', networks: {}, workspaceId });
  const id = '5f0c1d7e-0000-4000-8000-00000000abcd';
  expect(parsed(id.toUpperCase()).data?.workspaceId).toBe(id);
  expect(parsed('payments').success).toBe(false);
});
