import { type Stage, stageNamed } from '#infra/stage/stages.ts';
import type { Network } from '#shared/networks/network.ts';
import { fireblocksCustodian } from '#shared/off-ramps/custodians/fireblocks/fireblocks-deployment.ts';
import { fireblocksServers } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';

/** Staging with a workspace of Fireblocks as the custodian of these networks. */
export function fireblocksStage(networks: readonly Network[] = ['ETHEREUM', 'STELLAR']): Stage {
  const staging = stageNamed('staging');
  const fireblocks = fireblocksCustodian({
    server: fireblocksServers.sandbox,
    networks: Object.fromEntries(networks.map((network) => [network, { baseAsset: 'BASE', assets: ['TOKEN'] }])),
    stellarVault: '0',
    ...{ callsPerMinute: 300, unknownHashesPercent: 50, poolSize: 500 },
  });
  const secrets = Object.fromEntries(
    ['READER', 'ADDRESSES', 'TAGS'].map((user) => [`FIREBLOCKS_${user}`, `fireblocks/${user.toLowerCase()}`]),
  );
  const custodians = Object.fromEntries(networks.map((network) => [network, fireblocks]));
  return {
    ...staging,
    custodians: { ...staging.custodians, ...custodians },
    settings: { ...staging.settings, secrets },
  };
}
