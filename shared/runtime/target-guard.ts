import { dnsResolver } from '#shared/webhooks/resolve-host.ts';
import { type GuardTarget, targetGuard } from '#shared/webhooks/target-guard.ts';
import { setting } from './environment.ts';

/** The guard of where webhooks may point, by the rules of the stage and what DNS says. */
export function targetGuardSetting(): GuardTarget {
  return targetGuard(dnsResolver(), { allowsThisMachine: setting('WEBHOOKS_TO_THIS_MACHINE') === 'true' });
}
