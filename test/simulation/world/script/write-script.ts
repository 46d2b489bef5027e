import type { Random } from '#test/simulation/kernel/random.ts';
import { drawSwarm } from '#test/simulation/world/swarm.ts';
import { writeClients } from './clients.ts';
import { HOUR, START, writeMoments } from './moments.ts';
import { writeOffRamp } from './off-ramps.ts';
import { writePayin } from './pay-ins.ts';
import type { Script } from './script.ts';

/** All that happens outside of the service in one round, from one seed. */
export function writeScript(random: Random): Script {
  const swarm = drawSwarm(random);
  const clients = writeClients(random);
  const beginnings = [0, random.below(2 * HOUR)] as const;
  const context = { random, swarm, clients, moment: writeMoments(random), beginnings };
  const offRamps = Array.from({ length: 3 + random.below(6) }, (_, number) => writeOffRamp(context, number));
  const payins = Array.from({ length: random.below(4) }, (_, number) => writePayin(context, number));
  return {
    swarm,
    clients,
    offRamps,
    payins,
    approvals: [],
    outages: [],
    deployments: [],
    quietFrom: quietAfter(offRamps, payins),
  };
}

/** An hour after the last act: by then everybody has been answered. */
function quietAfter(offRamps: Script['offRamps'], payins: Script['payins']): number {
  const acts = [
    START,
    ...offRamps.flatMap(({ at, payments, submissions, cancellations, reads, repeats }) => [
      ...payments.map(({ after, phases }) => at + after + Math.max(...phases.map((phase) => phase.after))),
      ...[...submissions, ...cancellations, ...reads, ...repeats].map(({ after }) => at + after),
    ]),
    ...payins.flatMap(({ at, reads, repeats, fates }) =>
      [...reads, ...repeats, ...fates].map(({ after }) => at + after),
    ),
  ];
  return Math.max(...acts) + HOUR;
}
