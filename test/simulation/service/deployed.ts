import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { loadHandlers } from './handlers.ts';

/** What is deployed, with the code of its functions. */
export async function deployed(topology: Topology): Promise<Deployed> {
  return { topology, handlers: await loadHandlers(topology.functions) };
}
