import { type Stage, stageNamed, withSettings } from '#infra/stage/stages.ts';
import type { Network } from '#shared/networks/network.ts';

/** A stage with a workspace of Fireblocks as the custodian of these networks, and Wompi as the rail of all methods. */
export function withRealProviders(
  networks: readonly Network[] = ['ETHEREUM', 'STELLAR'],
  stageName: 'staging' | 'prod' = 'staging',
): Stage {
  // The rules of a stage with simulated providers have a shorter finality.
  const stage = { ...stageNamed(stageName), networkRules: stageNamed('prod').networkRules };
  const isTest = stageName === 'staging';
  const described = { baseAsset: 'BASE', assets: { USDC: 'TOKEN' } };
  return withSettings(stage, {
    ...stage.settings,
    fireblocks: {
      server: isTest ? 'sandbox' : 'us',
      networks: Object.fromEntries(networks.map((network) => [network, described])),
      stellarVault: '0',
      ...{ callsPerMinute: 300, unknownHashesPercent: 50, poolSize: 500 },
    },
    wompi: { server: isTest ? 'sandbox' : 'production' },
    rails: { PSE: 'wompi', NEQUI: 'wompi', DAVIPLATA: 'wompi' },
    secrets: Object.fromEntries(secrets.map((variable) => [variable, variable.toLowerCase().replace('_', '/')])),
  });
}

const secrets = ['FIREBLOCKS_READER', 'FIREBLOCKS_ADDRESSES', 'FIREBLOCKS_TAGS', 'WOMPI_KEYS', 'WOMPI_EVENTS'];
