import { networks } from '#shared/networks/network.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { drawSwarm } from '#test/simulation/world/swarm.ts';
import { writeClients } from './clients.ts';
import { writeDeeds } from './deeds.ts';
import { writeFinance, writeReturnSettings } from './finance.ts';
import { HOUR, OPENING, shortLived, writeMoments } from './moments.ts';
import { writeNotices } from './notices.ts';
import { type OffRampContext, writeOffRamp } from './off-ramps.ts';
import { writeOperators } from './operators.ts';
import { writeBadDeployments, writeDeployments, writeOutages } from './outages.ts';
import { writePayin } from './pay-ins.ts';
import { quietAfter } from './quiet.ts';
import type { OffRampScript, Script } from './script.ts';

/** Share of rounds in which nothing fails. */
const QUIET = 0.2;

/** Share of rounds that last until nothing is left to do. */
const PLAYED_OUT = 0.01;

/** Share of rounds with short-lived off-ramps: with the stage's window nearly every round is over before they end. */
const SHORT_LIVED = 0.3;

/** Writes everything that happens outside of the service in one round, from one seed. */
export function writeScript(random: Random): Script {
  const isQuiet = random.chance(QUIET);
  const swarm = drawSwarm(random, isQuiet);
  const isShortLived = random.chance(SHORT_LIVED);
  const moment = writeMoments(random, isShortLived);
  // Few networks have tags, so Stellar is picked more often.
  const network = () => (random.chance(0.1) ? 'STELLAR' : random.pick(networks));
  const networksOfRound = [network(), network()] as const;
  const clients = writeClients({ random, swarm, moment, networks: networksOfRound });
  const context: OffRampContext = {
    random,
    swarm,
    clients,
    moment,
    beginnings: [OPENING, OPENING + random.below(2 * HOUR)],
  };
  const offRamps: OffRampScript[] = [];
  for (let left = 8 + random.below(9); left > 0; left -= 1) offRamps.push(writeOffRamp(context, offRamps));
  const payins = Array.from({ length: random.below(5) }, (_, number) => writePayin(context, number));
  const acts = {
    clients,
    offRamps,
    payins,
    notices: writeNotices(context),
    deeds: writeDeeds(context, offRamps),
    outages: writeOutages(context),
    deployments: writeDeployments(context),
    badDeployments: writeBadDeployments(context),
    operators: writeOperators(context, [...offRamps, ...payins]),
    finance: writeFinance(context, offRamps),
  };
  const quietFrom = quietAfter(acts);
  // Payments that the rail did not notify are found a day later.
  const neverNotifies = swarm.railNotifications.lost === 1;
  return {
    swarm,
    isQuiet,
    hasOwnPayouts: random.chance(swarm.rounds.ownPayouts),
    ...acts,
    quietFrom,
    // Played out, a sweep that retries what cannot end would run each minute, for weeks.
    ...((isShortLived || !random.chance(PLAYED_OUT)) && { endsAt: quietFrom + (neverNotifies ? 26 : 1) * HOUR }),
    settings: { ...writeReturnSettings(random), ...(isShortLived && shortLived) },
  };
}
