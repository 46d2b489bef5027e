import type { Host } from '#test/simulation/aws/host.ts';
import { at } from './clients/in-time.ts';
import type { Swarm } from './swarm.ts';

/** What a part does not do while it is out: one of its faults always happens. */
export const breakable = [
  { part: 'dynamo', fault: 'throttling' },
  { part: 'queues', fault: 'refusal' },
  { part: 'bus', fault: 'refusal' },
  { part: 'executions', fault: 'start' },
  { part: 'lambda', fault: 'throttling' },
  { part: 'gateway', fault: 'lostCall' },
  { part: 'custodian', fault: 'unavailable' },
  { part: 'rail', fault: 'unavailable' },
] as const satisfies readonly { readonly part: keyof Swarm; readonly fault: string }[];

/** A part is out from a time to another, in milliseconds since 1970. */
export interface Outage {
  readonly of: (typeof breakable)[number];
  readonly from: number;
  readonly until: number;
}

/** The parts ask their records at each request: for a while a fault in them is certain. */
export async function breakDown(
  outside: { readonly host: Host; readonly swarm: Swarm },
  outage: Outage,
): Promise<void> {
  const { part, fault } = outage.of;
  const before = { ...outside.swarm[part] };
  await at(outside, outage.from);
  outside.host.trace(() => `${part} is out`);
  Object.assign(outside.swarm[part], { [fault]: 1 });
  await at(outside, outage.until);
  outside.host.trace(() => `${part} is back`);
  Object.assign(outside.swarm[part], before);
}
