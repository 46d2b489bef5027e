import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { loadHandlers } from './handlers.ts';

/** The same where every function that has one of these settings has it so. */
export function withSettings({ topology, handlers }: Deployed, settings: Readonly<Record<string, string>>): Deployed {
  const functions = topology.functions.map(({ environment, ...shape }) => ({
    ...shape,
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, settings[name] ?? value]),
    ),
  }));
  return { topology: { ...topology, functions }, handlers };
}

/** What is deployed, with the code of its functions. */
export async function deployed(topology: Topology): Promise<Deployed> {
  return { topology, handlers: await loadHandlers(topology.functions) };
}
