import type { SendRequest } from '#test/simulation/aws/gateway.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import type { Chain } from './chain/chain.ts';
import type { Endpoints } from './endpoints/endpoints.ts';
import type { Memory } from './memory.ts';
import type { SimulatedCustodian } from './providers/custodian.ts';
import type { SimulatedRail } from './providers/rail.ts';
import type { Swarm } from './swarm.ts';

/** What everybody outside of the service acts through. */
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
  /** The records that the parts were given, so that they can be quietened. */
  readonly swarm: Swarm;
  /** An operator moves all dead letters back. */
  readonly redrive: () => void;
  /** All functions go on in new processes. */
  readonly deploy: () => void;
}
