import type { Host } from '#test/simulation/aws/host.ts';
import { at } from './clients/in-time.ts';
import type { Swarm } from './swarm.ts';

/** The parts that can be out, and the fault that is then certain. */
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

/** An outage of a part, with its bounds in milliseconds since 1970. */
export interface Outage {
  readonly of: (typeof breakable)[number];
  readonly from: number;
  readonly until: number;
}

/** Makes every call of a function fail for a while. */
export interface BadDeployment extends Pick<Outage, 'from' | 'until'> {
  readonly folder: string;
}

/** Makes a fault certain for a while. The parts read their record at each request. */
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
