import { deployed } from '#test/simulation/service/deployed.ts';
import { synthesise } from '#test/simulation/topology/synthesise.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { failures, unnoticed } from './failures.ts';
import { BEGINNING, fewOrders } from './orders.ts';
import { readAlarms } from './read-alarms.ts';
import { callsIn } from './watch.ts';

/** Whom production's alarms call in each failure: how many minutes after something is late, and by which alarms. */
export async function tellCalls(topology: Topology): Promise<void> {
  const service = await deployed(topology);
  const alarms = readAlarms(synthesise('prod').service);
  for (const { name, change, isKeyDisabled, lateAfter } of [...failures, unnoticed]) {
    const watched = { script: change(fewOrders()), from: BEGINNING, ...(isKeyDisabled && { isKeyDisabled }) };
    const calls = await callsIn(service, alarms, watched);
    const told = calls.map(({ alarm, at }) => `${Math.round((at - BEGINNING) / 60_000) - lateAfter} min ${alarm}`);
    process.stdout.write(`${name}: ${told.join(', ') || 'nobody'}\n`);
  }
}
