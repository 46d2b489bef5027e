import { type BadDeployment, breakable, type Outage } from '#test/simulation/world/outages.ts';
import { HOUR, MINUTE, SECOND, START } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';

/** Writes up to two outages, mostly short. */
export function writeOutages({ random, swarm, beginnings, moment }: OffRampContext): readonly Outage[] {
  return [0, 1]
    .filter(() => random.chance(swarm.rounds.outage))
    .map(() => {
      const from = START + random.pick(beginnings) + moment();
      const length = random.below(random.pick([10 * SECOND, 2 * MINUTE, 2 * MINUTE, HOUR]));
      return { of: random.pick<Outage['of']>(breakable), from, until: from + length };
    });
}

/** Functions that a deployment may break: those that nobody calls directly, and one that every client needs. */
const deployable: readonly [string, ...string[]] = [
  'off-ramps/check-deposit',
  'off-ramps/match-deposit',
  'off-ramps/apply-status-change',
  'off-ramps/receive-custodian-notification',
  'off-ramps/release-due-deposits',
  'off-ramps/restart-lost-verifications',
  'pay-ins/settle-open-payins',
  'pay-ins/reconcile-payments',
  'pay-ins/receive-rail-notification',
  'events/publish-status-changes',
  'events/publish-overdue-changes',
  'webhooks/fan-out-event',
  'webhooks/deliver-webhook',
  'webhooks/release-due-deliveries',
  'clients/issue-token',
  'clients/apply-client-status',
];

/** Writes a deployment that breaks one function until the next; now and then verification, for hours. */
export function writeBadDeployments({ random, swarm, beginnings, moment }: OffRampContext): readonly BadDeployment[] {
  if (!random.chance(swarm.rounds.badDeployment)) return [];
  const from = START + random.pick(beginnings) + moment();
  if (random.chance(0.1)) return [{ folder: 'off-ramps/check-deposit', from, until: from + 8 * HOUR }];
  const length = random.below(random.pick([2 * MINUTE, 20 * MINUTE]));
  return [{ folder: random.pick(deployable), from, until: from + length }];
}

/** Writes a deployment, which replaces functions while others work. */
export function writeDeployments({ random, swarm, beginnings, moment }: OffRampContext): readonly number[] {
  return random.chance(swarm.rounds.deployment) ? [START + random.pick(beginnings) + moment()] : [];
}
