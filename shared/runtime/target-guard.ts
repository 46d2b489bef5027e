import { dnsResolver } from '#shared/webhooks/resolve-host.ts';
import { type GuardTarget, targetGuard } from '#shared/webhooks/target-guard.ts';
import type { Clock } from './clock.ts';
import { setting } from './environment.ts';

/** The guard of where webhooks may point, by the rules of the stage and what DNS says. */
export function targetGuardSetting(clock: Clock): GuardTarget {
  return targetGuard(dnsResolver(clock), { allowsThisMachine: setting('WEBHOOKS_TO_THIS_MACHINE') === 'true' });
}
