import { breakable } from '#test/simulation/world/outages.ts';
import { HOUR, MINUTE, SECOND, START } from '#test/simulation/world/script/moments.ts';
import type { Script, WebhookScript } from '#test/simulation/world/script/script.ts';
import { BEGINNING, FINAL, fewOrders, offRampAt, PAID } from './orders.ts';

/** A single failure that lasts from the beginning on. */
export interface Failure {
  readonly name: string;
  readonly change: (script: Script) => Script;
  readonly isKeyDisabled?: true;
  /** Minutes from the beginning until something is late. */
  readonly lateAfter: number;
  /** The alarm that must call, if others go off as well. */
  readonly calls?: string;
}

/** The client's own endpoint fails. */
export const withDeadEndpoint = ({ clients, ...script }: Script): Script => ({
  ...script,
  clients: clients.map((one) => ({
    ...one,
    webhooks: one.webhooks.map(
      (webhook): WebhookScript => ({ ...webhook, spells: [{ from: START, manner: 'SERVER_ERROR' }] }),
    ),
  })),
});

/** All functions restart at the busiest moment. */
export const withDeployment = (script: Script): Script => ({
  ...script,
  deployments: [BEGINNING + PAID + 20 * SECOND],
});

const broken =
  (...folders: readonly string[]) =>
  (script: Script): Script => ({
    ...script,
    badDeployments: folders.map((folder) => ({ folder, from: START, until: script.quietFrom })),
  });

const out =
  (part: (typeof breakable)[number]['part'], from = START) =>
  (script: Script): Script => ({
    ...script,
    outages: breakable.flatMap((of) => (of.part === part ? { of, from, until: script.quietFrom } : [])),
  });

const withoutNotifications = ({ swarm, ...script }: Script): Script => ({
  ...script,
  swarm: { ...swarm, custodianNotifications: { ...swarm.custodianNotifications, lost: 1 } },
});

/** Minutes: the first event must be on the bus after one; the first deposit is final then, and must be credited. */
const EVENT_LATE = 1;
const CREDIT_LATE = (PAID + FINAL) / MINUTE;

/** Minutes until the third transfer has waited ten minutes for its notification. */
const UNNOTIFIED_LATE = 2 * 20 + CREDIT_LATE + 10;

const PAYOUT_HOURS = 4;

/** Failures for each of which somebody must be called. */
export const failures: readonly Failure[] = [
  { name: 'the bus refuses every event', change: out('bus'), lateAfter: EVENT_LATE },
  {
    name: 'the publisher and its sweep throw',
    change: broken('events/publish-status-changes', 'events/publish-overdue-changes'),
    lateAfter: EVENT_LATE,
  },
  {
    name: 'the custodian answers no question',
    // It fails only after it has assigned addresses.
    change: (script) =>
      out(
        'custodian',
        BEGINNING + 30 * SECOND,
      )({
        ...script,
        offRamps: script.offRamps.map((_, index) => offRampAt(BEGINNING + index * SECOND, PAID + index * 20 * MINUTE)),
      }),
    lateAfter: CREDIT_LATE,
  },
  {
    name: 'the custodian lists nothing',
    change: ({ swarm, ...script }) => ({
      ...script,
      swarm: { ...swarm, custodian: { ...swarm.custodian, unlisted: 1 } },
    }),
    lateAfter: 0,
    calls: 'CustodianListsNothing',
  },
  {
    name: 'the payout service is silent',
    change: (script) => {
      const { offRamps } = fewOrders(PAYOUT_HOURS + 0.5);
      return {
        ...script,
        offRamps: offRamps.slice(0, 3).map(({ payout: _, ...offRamp }) => offRamp),
        quietFrom: BEGINNING + (PAYOUT_HOURS + 1.5) * HOUR,
        endsAt: BEGINNING + (PAYOUT_HOURS + 0.5) * HOUR,
      };
    },
    lateAfter: CREDIT_LATE + PAYOUT_HOURS * 60,
  },
  { name: 'the key of webhooks is disabled', change: (script) => script, isKeyDisabled: true, lateAfter: EVENT_LATE },
  { name: 'deliver-webhook throws', change: broken('webhooks/deliver-webhook'), lateAfter: EVENT_LATE },
  { name: 'fan-out-event throws', change: broken('webhooks/fan-out-event'), lateAfter: EVENT_LATE },
  { name: 'the rail does not answer', change: out('rail'), lateAfter: EVENT_LATE },
  {
    name: 'no execution can be started, and no notification comes',
    change: (script) => withoutNotifications(out('executions')(script)),
    lateAfter: CREDIT_LATE,
  },
  {
    name: 'no notification comes, but clients report',
    change: withoutNotifications,
    lateAfter: UNNOTIFIED_LATE,
    calls: 'CustodianNotNotified',
  },
  {
    name: 'no notification comes, and nobody reports',
    change: (script) =>
      withoutNotifications({ ...script, offRamps: script.offRamps.map((one) => ({ ...one, submissions: [] })) }),
    // The custodian's list is read each hour.
    lateAfter: CREDIT_LATE + 60,
    calls: 'CustodianNotNotified',
  },
  { name: 'match-deposit throws', change: broken('off-ramps/match-deposit'), lateAfter: CREDIT_LATE },
  { name: 'check-deposit throws', change: broken('off-ramps/check-deposit'), lateAfter: CREDIT_LATE },
  { name: 'apply-status-change throws', change: broken('off-ramps/apply-status-change'), lateAfter: CREDIT_LATE + 1 },
];
