import { type AddressPool, createAddressPool } from '#shared/off-ramps/custodians/address-pool.ts';
import type { Custodian, FillPools } from '#shared/off-ramps/custodians/custodian.ts';
import { createFillPools } from '#shared/off-ramps/custodians/fill-pools.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { type AskFireblocks, fireblocksAs } from './fireblocks-client.ts';
import type { FireblocksSetting } from './fireblocks-settings.ts';
import { createMakeTag, createMakeVault, tagPoolsOf, vaultPoolsOf } from './make-addresses.ts';

interface Filling {
  readonly ask: AskFireblocks;
  readonly fireblocks: FireblocksSetting;
  readonly store: AddressPool;
  readonly clock: Clock;
}

const store = (clock: Clock) => createAddressPool(dynamo, setting('ADDRESS_POOL_TABLE'), clock);

/** As the API user that makes vaults (Editor). */
export function createFireblocksVaults(clock: Clock): Required<Pick<Custodian, 'fillAddressPool'>> {
  const asked = fireblocksAs('addresses', clock);
  return { fillAddressPool: fillVaultPools({ ...asked, store: store(clock), clock }) };
}

/** As the API user that makes addresses in a vault, which no Editor may (Non-Signing Admin). */
export function createFireblocksTags(clock: Clock): Required<Pick<Custodian, 'fillTagPool'>> {
  const asked = fireblocksAs('tags', clock);
  return { fillTagPool: fillTagPools({ ...asked, store: store(clock), clock }) };
}

export function fillVaultPools({ ask, fireblocks, ...others }: Filling): FillPools {
  return limited(ask, fireblocks, (counted, isSpent) =>
    createFillPools({ ...others, pools: vaultPoolsOf(fireblocks), make: createMakeVault(counted), isSpent }),
  );
}

export function fillTagPools({ ask, fireblocks, ...others }: Filling): FillPools {
  return limited(ask, fireblocks, (counted, isSpent) =>
    createFillPools({ ...others, pools: tagPoolsOf(fireblocks), make: createMakeTag(counted, others.clock), isSpent }),
  );
}

/** A run, of which there is one a minute, begins no entry once it has made the calls of a minute. */
function limited(
  ask: AskFireblocks,
  { callsPerMinute }: FireblocksSetting,
  create: (counted: AskFireblocks, isSpent: () => boolean) => FillPools,
): FillPools {
  return (run) => {
    let calls = 0;
    const counted: AskFireblocks = (request) => {
      calls += 1;
      return ask(request);
    };
    return create(counted, () => calls >= callsPerMinute)(run);
  };
}
