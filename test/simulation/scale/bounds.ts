import { NOTIFICATION_LIMITS } from '#infra/platform/route.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { isEvm, networks } from '#shared/networks/network.ts';
import { POLLS_PER_MINUTE } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { UNKNOWN_PERCENT } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { RUNS_FOR } from '#shared/off-ramps/custodians/fill-pools.ts';
import { entriesAtOnce } from '#shared/off-ramps/custodians/fireblocks/fireblocks-filling.ts';
import { fireblocksSettings } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { sharesOf } from '#shared/off-ramps/custodians/hash-shares.ts';
import { ANSWERED_IN, LASTS } from '#test/simulation/cost/meter.ts';
import { boundsOfAccount } from './account.ts';
import type { Bound, Load } from './load.ts';

/** The most status changes of a transfer that a custodian notifies. */
const STATUS_CHANGES = 5;

const stage = stageNamed('prod');
const { deliverySlots, costlyCalls, perClient, mostPerDay, consumersPerQueue } = stage;
const { checkDeposit = 0, notifications = 0 } = stage.settings.reservedConcurrency ?? {};
const perClientRate = perClient?.rate ?? Number.NaN;

/** Returns the bounds for all clients together, and for a single one. */
export function boundsOf(load: Load): readonly Bound[] {
  return [
    ...ofProviders(load),
    ...ofNodes(load),
    ...ofAddresses(),
    ...ofOneClient(load),
    ...ofQueues(load),
    ...boundsOfAccount(load),
  ];
}

const DELIVER = 'webhooks/deliver-webhook';

function ofProviders({ units, busySeconds }: Load): readonly Bound[] {
  const { callsPerMinute } = fireblocksSettings.parse({ server: 'us', networks: {} });
  const asked =
    units('off-ramps', 'asked custodian.findTransfers') + units('off-ramps', 'asked custodian.findTransfer');
  const { rate } = NOTIFICATION_LIMITS.all;
  const received = 'off-ramps/receive-custodian-notification';
  const each = busySeconds('off-ramps', received) / units('off-ramps', `call ${received}`);
  return [
    {
      kind: 'off-ramps',
      what: `${callsPerMinute} calls a minute of the custodian's API user; an off-ramp takes ${asked.toFixed(1)}`,
      holds: callsPerMinute / 60 / asked,
      change: `before the first client: ask Fireblocks for what you need, and set it as callsPerMinute; 10 a second take ${Math.ceil(600 * asked).toLocaleString('en-US')}`,
    },
    {
      kind: 'off-ramps',
      what: `${rate} notifications a second of one custodian, ${STATUS_CHANGES} of a transfer`,
      holds: rate / STATUS_CHANGES,
      change: 'NOTIFICATION_LIMITS of infra/platform/route.ts, with the next row',
    },
    {
      kind: 'off-ramps',
      what: `${notifications} concurrent calls for notifications of all custodians, ${milliseconds(each)} each`,
      holds: notifications / (STATUS_CHANGES * each),
      change: 'notifications of reservedConcurrency',
    },
    {
      kind: 'pay-ins',
      what: `${notifications} concurrent calls for notifications of all rails`,
      holds: notifications / busySeconds('pay-ins', 'pay-ins/receive-rail-notification'),
      change: 'notifications of reservedConcurrency',
    },
  ];
}

/** JSON-RPC calls of each node in a poll of a transaction. */
const CALLS_OF_POLL = 8;

/** Bounds of a network that is read from its nodes. No deposit above them is lost, because the scan finds each one. */
function ofNodes({ units }: Load): readonly Bound[] {
  const { ofReported } = sharesOf({ callsPerMinute: POLLS_PER_MINUTE, unknownHashesPercent: UNKNOWN_PERCENT });
  const polls =
    units('off-ramps', 'asked custodian.findTransfers') + units('off-ramps', 'asked custodian.findTransfer');
  const forTen = (share: number) => ((600 * POLLS_PER_MINUTE) / share).toLocaleString('en-US');
  const calls = Math.ceil(10 * polls * CALLS_OF_POLL).toLocaleString('en-US');
  return [
    {
      kind: 'off-ramps',
      what: `${ofReported} first polls a minute of reported hashes of one EVM network that is read from its nodes; what is over waits for the scan`,
      holds: ofReported / 60,
      change: `pollsPerMinute of the network; 10 a second take ${forTen(ofReported)}, and a plan of each node for ${calls} calls a second`,
    },
    {
      kind: 'off-ramps',
      what: `${ofReported / 2} first polls a minute of hashes that one client reports of one EVM network`,
      holds: ofReported / 2 / 60,
      change: `as the row of all its clients; 10 a second take ${forTen(ofReported / 2)}`,
    },
  ];
}

/** Bounds of the pool of addresses that are made in advance on all EVM networks: a vault, and a wallet on each. */
function ofAddresses(): readonly Bound[] {
  const { callsPerMinute, poolSize } = fireblocksSettings.parse({ server: 'us', networks: {} });
  const calls = 1 + networks.filter(isEvm).length;
  const forTen = 600 * calls;
  const atOnce = entriesAtOnce({ callsPerMinute: forTen });
  const lasts = calls * LASTS.custodian + 3 * ANSWERED_IN.WRITE + ANSWERED_IN.TRANSACTION;
  return [
    {
      kind: 'off-ramps',
      what: `${callsPerMinute} calls a minute of the custodian's API user that makes addresses; one on seven EVM networks takes ${calls}`,
      holds: callsPerMinute / 60 / calls,
      change: `as the row of its other API user; 10 a second take ${forTen.toLocaleString('en-US')}`,
    },
    {
      kind: 'off-ramps',
      what: `a pool of ${poolSize} addresses: in a minute all clients together take what is above its half`,
      holds: poolSize / 2 / 60,
      change: 'poolSize of the custodian; 10 a second take 1,200',
    },
    {
      kind: 'off-ramps',
      what: `fill-address-pool: ${atOnce} at once with so many calls, ${RUNS_FOR / 1000} of 60 seconds`,
      holds: (atOnce * RUNS_FOR) / lasts / 60,
      change: 'entriesAtOnce of fireblocks-filling.ts, with more memory',
    },
    {
      kind: 'off-ramps',
      // Two counts and the removal from the pool; the start, two steps and the end. A transaction takes two of each.
      what: '1,000 writes a second of one key of addressPool, 11 of an address',
      holds: 1000 / 11,
      change: 'a pool in parts',
    },
  ];
}

function ofOneClient({ units, busySeconds }: Load): readonly Bound[] {
  const { perWebhook } = deliverySlots.first;
  const ofDay = (most: number) => most / 86_400;
  return [
    {
      kind: 'off-ramps',
      what: `${mostPerDay.offRamps.toLocaleString('en-US')} off-ramps of one client in a day`,
      holds: ofDay(mostPerDay.offRamps),
      change: 'ops set-limits for that client, up to ten times as many',
    },
    {
      kind: 'pay-ins',
      what: `${mostPerDay.payIns.toLocaleString('en-US')} pay-ins of one client in a day`,
      holds: ofDay(mostPerDay.payIns),
      change: 'ops set-limits for that client, up to ten times as many',
    },
    {
      kind: 'off-ramps',
      what: `${costlyCalls.rate} creations a second of one client`,
      holds: costlyCalls.rate,
      change: 'costlyCalls of the stage, for all; a client waits as Retry-After says',
    },
    {
      kind: 'off-ramps',
      what: `${perWebhook} first attempts at once of one webhook`,
      holds: perWebhook / busySeconds('off-ramps', DELIVER),
      change: 'perWebhook of deliverySlots',
    },
    {
      kind: 'off-ramps',
      what: `${perClientRate} requests a second of one client, if it reads each off-ramp three times`,
      holds:
        perClientRate /
        (units('off-ramps', 'apiRequest') - units('off-ramps', 'call off-ramps/receive-custodian-notification') + 3),
      change: 'perClient of the stage; the client takes webhooks or the feed instead',
    },
  ];
}

function ofQueues({ busySeconds }: Load): readonly Bound[] {
  const queue = (folder: string, most: number, change: string): Bound => ({
    kind: 'off-ramps',
    what: `${most} calls at once of ${folder.split('/')[1]}`,
    holds: most / busySeconds('off-ramps', folder),
    change,
  });
  return [
    queue(DELIVER, deliverySlots.first.all, 'all of deliverySlots'),
    queue('webhooks/fan-out-event', consumersPerQueue, 'consumersPerQueue of the stage'),
    queue('off-ramps/match-deposit', consumersPerQueue, 'consumersPerQueue, and matchDeposit of reservedConcurrency'),
    queue('off-ramps/check-deposit', checkDeposit, 'checkDeposit of reservedConcurrency'),
  ];
}

function milliseconds(seconds: number): string {
  return `${Math.round(seconds * 1000)} ms`;
}
