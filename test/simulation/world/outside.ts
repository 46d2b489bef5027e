import type { SendRequest } from '#test/simulation/aws/gateway.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import type { Chain } from './chain/chain.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import type { Memory } from './memory.ts';
import type { SimulatedCustodian } from './providers/custodian.ts';
import type { SimulatedRail } from './providers/rail.ts';
import type { Swarm } from './swarm.ts';

/** The means of every actor outside of the service. */
export interface Outside {
  readonly host: Host;
  readonly request: SendRequest;
  /** Another service puts an event on the service's bus. */
  readonly putOnBus: (entry: { readonly source: string; readonly type: string; readonly detail: object }) => void;
  readonly chain: Chain;
  readonly custodian: SimulatedCustodian;
  readonly rail: SimulatedRail;
  readonly endpoints: Endpoints;
  readonly memory: Memory;
  /** The probabilities that the parts read, so that faults can be switched off. */
  readonly swarm: Swarm;
  /** An operator moves all dead letters back to their queues. */
  readonly redrive: () => void;
  /** Restarts all functions in new processes. */
  readonly deploy: () => void;
}
