import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { dnsResolver } from './resolve-host.ts';
import { type GuardTarget, targetGuard } from './ssrf-guard.ts';

/** The guard of where webhooks may point, by the rules of the stage and what DNS says. */
export function targetGuardSetting(clock: Clock): GuardTarget {
  return targetGuard(dnsResolver(clock), { allowsThisMachine: setting('WEBHOOKS_TO_THIS_MACHINE') === 'true' });
}
