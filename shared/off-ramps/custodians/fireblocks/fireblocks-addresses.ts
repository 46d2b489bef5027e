import { isEvm, type Network } from '#shared/networks/network.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { createTakeAddress, type TakeAddress } from '#shared/off-ramps/custodians/take-address.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';

/** The pool of a network's addresses; a vault has the same address on all EVM networks. */
export function poolOf(network: Network): string {
  return `fireblocks#${isEvm(network) ? 'EVM' : network}`;
}

/** Networks on which an address locks up money (rent, Solana), so that a user keeps the address. */
const KEPT_BY_USERS: readonly Network[] = ['SOLANA'];

/** Assigns addresses that were made ahead of time: the function that assigns them never calls the vendor. */
export function createFireblocksAddresses(clock: Clock): Pick<Custodian, 'assignDepositAddress'> {
  return fireblocksAddresses(createTakeAddress(dynamo, setting('ADDRESS_POOL_TABLE'), clock));
}

export function fireblocksAddresses(take: TakeAddress): Pick<Custodian, 'assignDepositAddress'> {
  return {
    assignDepositAddress: ({ network, hasEnded, ...owner }) =>
      take(owner, { pool: poolOf(network), network }, KEPT_BY_USERS.includes(network) ? hasEnded : undefined),
  };
}
