import { type AddressPool, createAddressPool } from '#shared/off-ramps/custodians/address-pool.ts';
import { type Custodian, CustodianUnavailable, type FillPools } from '#shared/off-ramps/custodians/custodian.ts';
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

/** Fills pools of vaults, as the API user that makes vaults (Editor). */
export function createFireblocksVaults(clock: Clock): Required<Pick<Custodian, 'fillAddressPool'>> {
  const asked = fireblocksAs('addresses', clock);
  return { fillAddressPool: fillVaultPools({ ...asked, store: store(clock), clock }) };
}

/** Fills pools of tags, as the API user that makes addresses in a vault, which no Editor may (Non-Signing Admin). */
export function createFireblocksTags(clock: Clock): Required<Pick<Custodian, 'fillTagPool'>> {
  const asked = fireblocksAs('tags', clock);
  return { fillTagPool: fillTagPools({ ...asked, store: store(clock), clock }) };
}

export function fillVaultPools(filling: Filling): FillPools {
  const { store, clock, fireblocks } = filling;
  const atOnce = entriesAtOnce(fireblocks);
  return limited(filling, (counted, isSpent) =>
    createFillPools({ store, clock, pools: vaultPoolsOf(fireblocks), make: createMakeVault(counted), isSpent, atOnce }),
  );
}

export function fillTagPools(filling: Filling): FillPools {
  const { store, clock, fireblocks } = filling;
  const [pools, atOnce] = [tagPoolsOf(fireblocks), entriesAtOnce(fireblocks)];
  return limited(filling, (counted, isSpent) =>
    createFillPools({ store, clock, pools, make: createMakeTag(counted, clock), isSpent, atOnce }),
  );
}

/** An entry makes its calls one by one, so a run needs this many entries at once to make the calls of a minute. */
export function entriesAtOnce({ callsPerMinute }: Pick<FireblocksSetting, 'callsPerMinute'>): number {
  return Math.min(50, Math.max(5, Math.ceil(callsPerMinute / 60)));
}

/** Milliseconds after the end of a run in which its entries may still begin a call; a call takes up to ten seconds. */
const MAY_ASK_FOR = 5000;

/**
 * Limits a run, of which there is one a minute. It begins no entry after it has made the calls of a minute. Shortly
 * after its end it makes no more calls, however slow the vendor is, so that the function never times out; the next run
 * goes on.
 */
function limited(
  { ask, clock, fireblocks: { callsPerMinute } }: Pick<Filling, 'ask' | 'clock' | 'fireblocks'>,
  create: (counted: AskFireblocks, isSpent: () => boolean) => FillPools,
): FillPools {
  return (run) => {
    let calls = 0;
    const counted: AskFireblocks = async (request) => {
      if (clock.now().getTime() > run.stopsAt + MAY_ASK_FOR)
        throw new CustodianUnavailable('The run has no time left for this entry.');
      calls += 1;
      return ask(request);
    };
    return create(counted, () => calls >= callsPerMinute)(run);
  };
}
