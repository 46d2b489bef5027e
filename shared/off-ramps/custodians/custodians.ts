import * as z from 'zod/mini';
import { type Network, network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import type { BookedCustodians, Custodian, Custodians } from './custodian.ts';
import { createEvmAddresses } from './evm/evm-addresses.ts';
import { createEvmSearch } from './evm/evm-custodian.ts';
import { createFireblocksAddresses } from './fireblocks/fireblocks-addresses.ts';
import { createFireblocksSearch } from './fireblocks/fireblocks-custodian.ts';
import { createFireblocksTags, createFireblocksVaults } from './fireblocks/fireblocks-filling.ts';
import { createFireblocksNotifications } from './fireblocks/fireblocks-notifications.ts';
import { createFireblocksSender } from './fireblocks/fireblocks-sender.ts';
import { returnsSetting } from './returns-setting.ts';
import {
  createSimulatedAddresses,
  createSimulatedMovements,
  createSimulatedNotifications,
  createSimulatedSearch,
  createSimulatedSendings,
} from './simulated/simulated-custodian.ts';

const custodianNames = ['simulated', 'evm', 'fireblocks'] as const;

export type CustodianName = (typeof custodianNames)[number];

/** The factories of one part of the adapters, where they have it; each is called once, while a function starts. */
type Parts<Member extends keyof Custodian> = Readonly<
  Partial<Record<CustodianName, (clock: Clock) => Required<Pick<Custodian, Member>>>>
>;

/*
 * One factory for each use of the adapters, so that a function bundles, and needs settings for, only the parts that it
 * calls. The adapter's folder declares these settings and permissions.
 */

/** The custodians that find transfers: all of them. */
export function searchingCustodians(clock: Clock): Custodians<'findTransfers' | 'findTransfer'> {
  return custodiansSetting<'findTransfers' | 'findTransfer'>(
    {
      simulated: createSimulatedSearch,
      evm: createEvmSearch,
      fireblocks: createFireblocksSearch,
    },
    clock,
  );
}

/** The custodians that list their transfers. */
export function listingCustodians(clock: Clock): Custodians<'listTransfers'> {
  return custodiansSetting<'listTransfers'>(
    { simulated: createSimulatedSearch, fireblocks: createFireblocksSearch },
    clock,
  );
}

/** The custodians that are scanned, because they neither list transfers nor send notifications. */
export function scanningCustodians(clock: Clock): Custodians<'scanTransfers'> {
  return custodiansSetting<'scanTransfers'>({ evm: createEvmSearch }, clock);
}

/** The custodians that send notifications. */
export function notifyingCustodians(clock: Clock): Custodians<'readNotification'> {
  return custodiansSetting<'readNotification'>(
    { simulated: createSimulatedNotifications, fireblocks: createFireblocksNotifications },
    clock,
  );
}

/** The custodians that assign addresses: all of them. */
export function addressingCustodians(clock: Clock): Custodians<'assignDepositAddress'> {
  return custodiansSetting<'assignDepositAddress'>(
    {
      simulated: createSimulatedAddresses,
      evm: createEvmAddresses,
      fireblocks: createFireblocksAddresses,
    },
    clock,
  );
}

/** The custodians that send money for us, without networks where a person sends it: no other custodian gets the key. */
export function sendingCustodians(clock: Clock): Custodians<'send' | 'findSending'> {
  const routes = returnsSetting();
  return custodiansSetting<'send' | 'findSending'>(
    { simulated: createSimulatedSendings, fireblocks: createFireblocksSender },
    clock,
    (one) => routes[one]?.isByHand === false,
  );
}

/** The custodians that find outgoing transfers, whoever sent them. */
export function outgoingCustodians(clock: Clock): Custodians<'findOutgoing'> {
  return custodiansSetting<'findOutgoing'>(
    { simulated: createSimulatedSendings, evm: createEvmSearch, fireblocks: createFireblocksSearch },
    clock,
  );
}

/** The custodians that list all movements; some read balances, too. */
export function bookedCustodians(clock: Clock): BookedCustodians {
  return custodiansSetting<'listMovements'>(
    { simulated: createSimulatedMovements, fireblocks: createFireblocksSearch },
    clock,
  );
}

/** The custodians whose addresses are made ahead of time. */
export function fillingCustodians(clock: Clock): Custodians<'fillAddressPool'> {
  return custodiansSetting<'fillAddressPool'>({ fireblocks: createFireblocksVaults }, clock);
}

/** The custodians whose tags are made ahead of time. */
export function taggingCustodians(clock: Clock): Custodians<'fillTagPool'> {
  return custodiansSetting<'fillTagPool'>({ fireblocks: createFireblocksTags }, clock);
}

const chosen = z.partialRecord(network, z.enum(custodianNames));

/** The custodian that the stage chooses for each network: `{"POLYGON": "simulated"}`. */
export function custodianNamesSetting(): Readonly<Partial<Record<Network, CustodianName>>> {
  return chosen.parse(JSON.parse(setting('CUSTODIANS')));
}

function custodiansSetting<Member extends keyof Custodian>(
  parts: Parts<Member>,
  clock: Clock,
  isAsked: (of: Network) => boolean = () => true,
): Custodians<Member> {
  const names = custodianNamesSetting();
  const asked = network.options.filter((one) => names[one] !== undefined && isAsked(one));
  const made = new Map(
    custodianNames.flatMap((name) => {
      const make = asked.some((one) => names[one] === name) ? parts[name] : undefined;
      return make === undefined ? [] : [[name, { name, ...make(clock) }] as const];
    }),
  );
  return new Map(
    asked.flatMap((one) => {
      const custodian = names[one] && made.get(names[one]);
      return custodian === undefined ? [] : [[one, custodian] as const];
    }),
  );
}
