import { describe, expect, test } from 'vitest';
import { seeded } from '#test/simulation/kernel/random.ts';
import { schedule } from '#test/simulation/kernel/schedule.ts';
import { createChain } from './chain/chain.ts';
import { createEndpoints } from './endpoints/endpoints.ts';
import { createMemory } from './memory.ts';
import { play } from './play.ts';
import { createCustodian } from './providers/custodian.ts';
import { createRail } from './providers/rail.ts';
import { START } from './script/moments.ts';
import { writeScript } from './script/write-script.ts';
import { seedItems } from './seed-tables.ts';
import { endpointsOf } from './truth.ts';

function world(seed: number) {
  const script = writeScript(seeded(seed, 0));
  const random = seeded(seed, 1);
  const plan = schedule(random, { death: 0, delay: 0, stall: 0 }, START);
  const host = { schedule: plan, random, trace: () => {} };
  const chain = createChain();
  const { swarm } = script;
  const endpoints = createEndpoints(host, endpointsOf(script), swarm.endpoints);
  return {
    script,
    host,
    chain,
    endpoints,
    swarm,
    custodian: createCustodian(host, chain, swarm.custodian, swarm.custodianManners),
    rail: createRail(host, swarm.rail),
    memory: createMemory(),
    putOnBus: () => {},
    redrive: () => {},
    deploy: () => {},
  };
}

describe('the world outside of the service', () => {
  test('is written by its seed alone', () => {
    expect(writeScript(seeded(1, 2))).toEqual(writeScript(seeded(1, 2)));
    expect(writeScript(seeded(1, 2))).not.toEqual(writeScript(seeded(1, 3)));
    expect(seedItems(writeScript(seeded(1, 2))).length).toBeGreaterThan(20);
  });

  test('comes to an end when nobody answers it', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const made = world(seed);
      play(made.script, { ...made, request: async () => undefined });
      await made.host.schedule.run();
      expect(made.memory.calls).toEqual([]);
    }
  });
});
