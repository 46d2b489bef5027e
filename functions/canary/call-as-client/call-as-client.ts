import { readAsClient } from '#sdk/sample-off-ramp.ts';
import type { Canary } from '#shared/canary/run-as-canary.ts';

/** Called each minute: a run ends before the next one. */
export const callAsClient: Canary = {
  name: 'call-as-client',
  metric: 'canary',
  mostSeconds: 45,
  saysIfNotSetUp: true,
  work: readAsClient,
};
