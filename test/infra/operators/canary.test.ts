import { expect, test } from 'vitest';
import type { Network } from '#shared/networks/network.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import { synthesiseStage } from '#test/support/synthesised.ts';

const evm: readonly Network[] = ['ETHEREUM', 'POLYGON', 'BASE', 'ARBITRUM', 'OPTIMISM', 'BSC', 'AVALANCHE'];

/** The canary's alarms on a staging where these networks have a real custodian, and the others a simulated one. */
const alarmsWith = (networks: readonly Network[]) =>
  synthesiseStage(withRealProviders(networks))
    .resources.filter(({ type, path }) => type === 'AWS::CloudWatch::Alarm' && path.startsWith('Canary/'))
    .map(({ path }) => path);

test('the canary takes off-ramps only where an EVM network is simulated, as npm run canary sets it up', () => {
  expect(alarmsWith(evm.slice(1))).toContain('Canary/OffRampFailing');
  const without = alarmsWith(evm);
  expect(without).toContain('Canary/Failing');
  expect(without).not.toContain('Canary/OffRampFailing');
});
