import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { loadHandlers } from './handlers.ts';

/** Returns the deployment with these settings in every function that has them. */
export function withSettings({ topology, handlers }: Deployed, settings: Readonly<Record<string, string>>): Deployed {
  const functions = topology.functions.map(({ environment, ...shape }) => ({
    ...shape,
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, settings[name] ?? value]),
    ),
  }));
  return { topology: { ...topology, functions }, handlers };
}

/** Returns the deployment with the code of its functions. */
export async function deployed(topology: Topology): Promise<Deployed> {
  return { topology, handlers: await loadHandlers(topology.functions) };
}
