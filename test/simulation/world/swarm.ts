import { mapValues } from '#shared/platform/map-values.ts';
import type { Random } from '#test/simulation/kernel/random.ts';

/*
 * Every fault of everything outside of the service, and every habit of everybody there, with the probability that it has
 * where it is switched on: often enough to meet one another in a round, seldom enough to let most of it go well.
 */
const everything = {
  /** Of one answer of the custodian. */
  custodian: { unavailable: 0.05, slow: 0.1, stale: 0.2, sharedAccount: 0.7 },
  /** Of one notification of the custodian. */
  custodianNotifications: { lost: 0.3, repeated: 0.3, late: 0.3, forged: 0.1 },
  /** Of one answer of the rail. */
  rail: { unavailable: 0.1, lostAnswer: 0.1, slow: 0.1, lateToFind: 0.3 },
  /** Of one notification of the rail. */
  railNotifications: { lost: 0.3, repeated: 0.3, late: 0.3, forged: 0.1 },
  /** Of one call of an endpoint. */
  endpoints: { lostAnswer: 0.1, error: 0.1, slow: 0.2 },
  /** Of one payment of a user. */
  users: { wrong: 0.2, twice: 0.15, twoAtOnce: 0.15, never: 0.1, unusual: 0.3 },
  /** Of one off-ramp or pay-in of a client. */
  clients: {
    noKey: 0.1,
    repeat: 0.2,
    reportRight: 0.5,
    reportAgain: 0.2,
    reportWrong: 0.15,
    reportAnothers: 0.1,
    cancel: 0.15,
    read: 0.5,
  },
  /** Of one pay-in. */
  payers: { otherAmount: 0.1, failure: 0.15, late: 0.15, never: 0.15, refused: 0.1 },
  /** Of one webhook. */
  webhooks: { spell: 0.4, broken: 0.1, change: 0.4 },
  /** Of one off-ramp: what other services say of it. */
  services: { contradiction: 0.2, failure: 0.15, silence: 0.1 },
  /** Of a round. */
  rounds: { outage: 0.5, deployment: 0.5, suspension: 0.3, strangeNotice: 0.3, hostileClient: 0.4, ownPayouts: 0.8 },
} as const;

/** Each fault and habit of a round, and its probability there. */
export type Swarm = ReturnType<typeof drawSwarm>;

/** Switches each of them on or off. Some rounds have nearly all of them, some nearly none. */
export function drawSwarm(random: Random) {
  const share = random.next();
  const drawn = <Fault extends string>(part: Readonly<Record<Fault, number>>) =>
    mapValues(part, (probability) => (random.chance(share) ? probability : 0));
  return {
    custodian: drawn(everything.custodian),
    custodianNotifications: drawn(everything.custodianNotifications),
    rail: drawn(everything.rail),
    railNotifications: drawn(everything.railNotifications),
    endpoints: drawn(everything.endpoints),
    users: drawn(everything.users),
    clients: drawn(everything.clients),
    payers: drawn(everything.payers),
    webhooks: drawn(everything.webhooks),
    services: drawn(everything.services),
    rounds: drawn(everything.rounds),
  };
}

/** From now on nothing of it happens any more: parts that were given these records ask them anew each time. */
export function quieten(swarm: Swarm): void {
  for (const part of Object.values(swarm))
    Object.assign(
      part,
      mapValues<string, number, number>(part, () => 0),
    );
}
