import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { createResolveHost } from './resolve-host.ts';
import { createSsrfGuard, type GuardTarget } from './ssrf-guard.ts';

/** The guard of where webhooks may point, by the rules of the stage and what DNS says. */
export function ssrfGuardSetting(clock: Clock): GuardTarget {
  return createSsrfGuard(createResolveHost(clock), {
    allowsThisMachine: setting('WEBHOOKS_TO_THIS_MACHINE') === 'true',
  });
}
