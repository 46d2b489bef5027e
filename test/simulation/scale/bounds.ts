import { NOTIFICATIONS } from '#infra/platform/route.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { fireblocksSettings } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { boundsOfAccount } from './account.ts';
import type { Bound, Load } from './load.ts';

/** Status changes of a transfer that a custodian notifies, at most. */
const STATUS_CHANGES = 5;

const stage = stageNamed('prod');
const { deliverySlots, costlyCalls, perClient, mostPerDay, consumersPerQueue } = stage;
const { checkDeposit = 0, notifications = 0 } = stage.settings.reservedConcurrency ?? {};
const perClientRate = perClient?.rate ?? Number.NaN;

/** What holds for all clients together, and for a single one. */
export function boundsOf(load: Load): readonly Bound[] {
  return [...ofProviders(load), ...ofOneClient(load), ...ofQueues(load), ...boundsOfAccount(load)];
}

const DELIVER = 'webhooks/deliver-webhook';

function ofProviders({ units, busySeconds }: Load): readonly Bound[] {
  const { callsPerMinute } = fireblocksSettings.parse({ server: 'us', networks: {} });
  const asked =
    units('off-ramps', 'asked custodian.findTransfers') + units('off-ramps', 'asked custodian.findTransfer');
  const { rate } = NOTIFICATIONS.all;
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
      change: 'NOTIFICATIONS of infra/platform/route.ts, with the next row',
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
