import { marshall } from '@aws-sdk/util-dynamodb';
import { type AwsInMemory, createAwsInMemory, type Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { IsWaived } from '#test/simulation/aws/dynamodb/writes.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { schedule } from '#test/simulation/kernel/schedule.ts';
import { takeOverLog } from '#test/simulation/kernel/take-over-log.ts';
import { createChain } from '#test/simulation/world/chain/chain.ts';
import { createEndpoints } from '#test/simulation/world/endpoints/endpoints.ts';
import { createMemory } from '#test/simulation/world/memory.ts';
import { play } from '#test/simulation/world/play.ts';
import { createCustodian } from '#test/simulation/world/providers/custodian.ts';
import { createRail } from '#test/simulation/world/providers/rail.ts';
import { START } from '#test/simulation/world/script/moments.ts';
import { writeScript } from '#test/simulation/world/script/write-script.ts';
import { seedItems } from '#test/simulation/world/seed-tables.ts';
import { endpointsOf } from '#test/simulation/world/truth.ts';

/** One round, by the numbers that make it the same again. */
export interface RoundNumber {
  readonly seed: number;
  readonly round: number;
}

export interface Watchers {
  readonly isWaived?: IsWaived | undefined;
  /** Is given everything that happens, line by line. */
  readonly tell?: ((line: string) => void) | undefined;
}

/**
 * A script of what happens outside of the service, and one history of what the service does about it: the same for the
 * same seed and number.
 *
 * @throws {Violation} when a rule does not hold
 */
export async function playRound(deployed: Deployed, { seed, round }: RoundNumber, { isWaived, tell }: Watchers = {}) {
  const script = writeScript(seeded(seed, round, 0));
  const { swarm } = script;
  const random = seeded(seed, round, 1);
  const plan = schedule(random, swarm.chances, START);
  const trace: Host['trace'] = tell === undefined ? () => {} : (text) => tell(`${plan.who()}: ${text()}`);
  const host: Host = { schedule: plan, random, trace };
  using _ = takeOverLog({ tell: trace, fail: plan.fail });

  const chain = createChain();
  const endpoints = createEndpoints(host, endpointsOf(script), swarm.endpoints);
  const rail = createRail(host, swarm.rail);
  const counts = { requests: 0 };
  const aws: AwsInMemory = createAwsInMemory(
    host,
    deployed,
    {
      custodian: createCustodian(host, chain, swarm.custodian),
      rail,
      guardUrl: endpoints.guardUrl,
      callWebhook: endpoints.callWebhook,
    },
    swarm,
    {
      isWaived,
      onChange: () => {},
      onRequest: () => {
        counts.requests += 1;
      },
    },
  );
  for (const { table, item } of seedItems(script)) {
    const marshalled = marshall(item, { removeUndefinedValues: true });
    const into = aws.engine.tables.get(table);
    into?.write(into.keyOf(marshalled), marshalled);
  }
  play(script, {
    host,
    request: aws.request,
    putOnBus: (entry) => aws.bus.put(entry),
    chain,
    rail,
    endpoints,
    memory: createMemory(),
    swarm,
    deploy: aws.deploy,
  });
  await plan.run();
  return { script, aws, endpoints, counts };
}
