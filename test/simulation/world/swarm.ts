import { mapValues } from '#shared/platform/collections.ts';
import type { ReadFaults } from '#test/simulation/aws/aws-in-memory.ts';
import type { Faults as DynamoFaults } from '#test/simulation/aws/dynamodb/faults.ts';
import type { BusFaults } from '#test/simulation/aws/event-bus.ts';
import type { GatewayFaults } from '#test/simulation/aws/gateway.ts';
import type { KmsFaults } from '#test/simulation/aws/kms.ts';
import type { LambdaFaults } from '#test/simulation/aws/lambda.ts';
import type { QueuesFaults } from '#test/simulation/aws/queues.ts';
import type { ScheduleFaults } from '#test/simulation/aws/schedules.ts';
import type { ExecutionFaults } from '#test/simulation/aws/step-functions.ts';
import type { StreamFaults } from '#test/simulation/aws/stream-lane.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import type { Chances } from '#test/simulation/kernel/schedule.ts';
import type { EndpointFaults } from './endpoints/endpoints.ts';
import type { CustodianFaults, CustodianManners } from './providers/custodian-faults.ts';
import type { NotificationFaults } from './providers/notify.ts';
import type { RailFaults, RailManners } from './providers/rail-faults.ts';
import type { SendingFaults, SendingManners } from './providers/sendings.ts';

/*
 * All faults, and all habits of the actors outside of the service, with their probabilities when switched on: high
 * enough that they coincide in a round, low enough that most work succeeds.
 */

/** Per moment, and per invocation. */
const chances: Chances = { death: 0.03, delay: 0.25, stall: 0.005 };

/* Per request to an AWS service, or per message, event or execution. */
const lambda: LambdaFaults = { throttling: 0.01, coldStart: 0.02, skew: 2000 };
const gateway: GatewayFaults = { lostCall: 0.01, lostAnswer: 0.02, hangUp: 0.02 };
const dynamo: DynamoFaults = {
  conflict: 0.02,
  throttling: 0.003,
  hotKey: 0.001,
  unprocessed: 0.1,
  torn: 0.2,
  repeat: 0.005,
  loss: 0.003,
};
/** Per write, and per read that is not consistent. */
const reads: ReadFaults = { indexLag: 0.2, stale: 0.5, shortPage: 0.1 };
const streams: StreamFaults = { repeat: 0.03, standstill: 0.002 };
const schedules: ScheduleFaults = { missed: 0.02, duplicate: 0.02, late: 0.05 };
const queues: QueuesFaults = {
  refusal: 0.01,
  repeat: 0.01,
  loss: 0.01,
  duplicate: 0.1,
  undeleted: 0.02,
  standstill: 0.001,
};
const bus: BusFaults = {
  refusal: 0.01,
  repeat: 0.01,
  loss: 0.01,
  entryRefusal: 0.03,
  duplicate: 0.1,
  undelivered: 0.05,
  outage: 0.001,
};
const keys: KmsFaults = { refusal: 0.01, repeat: 0.01, loss: 0.01 };
const executions: ExecutionFaults = { start: 0.03, abort: 0.01, lostResult: 0.03 };

/* Of one answer, notification or call. */
const custodian: CustodianFaults & SendingFaults = {
  unavailable: 0.05,
  unlisted: 0.1,
  slow: 0.1,
  stale: 0.2,
  limited: 0.05,
  lostOrder: 0.1,
  lostAnswer: 0.2,
  refused: 0.1,
};
const custodianManners: CustodianManners & SendingManners = {
  sharedAccount: 0.7,
  wholeAccount: 0.3,
  otherSpelling: 0.3,
  isFireblocks: 1,
  swept: 0.2,
  hasNoNextPage: 0.5,
  unusual: 0.4,
  moved: 0.2,
};
const rail: RailFaults = {
  unavailable: 0.1,
  lostAnswer: 0.1,
  slow: 0.1,
  lateToFind: 0.3,
  notFound: 0.05,
  silence: 0.03,
  stray: 0.1,
  unlisted: 0.03,
  stale: 0.1,
  lost: 0.2,
};
const notifications: NotificationFaults = { lost: 0.3, repeated: 0.3, late: 0.3, forged: 0.1 };
const endpoints: EndpointFaults = { lostAnswer: 0.1, error: 0.1, slow: 0.2 };

/**
 * Per off-ramp or payment of a user. Includes the custodian's own movements, users who send very many transfers or the
 * same amount again, and the exact amount from another wallet or to an earlier address, which people may credit.
 */
const users = {
  wrong: 0.2,
  forPeople: 0.1,
  onlyWrong: 0.4,
  twice: 0.15,
  twoAtOnce: 0.15,
  moreDigits: 0.2,
  never: 0.1,
  unusual: 0.3,
  ofCustodian: 0.1,
  sameAgain: 0.2,
  crowd: 0.003,
};

/** Per off-ramp or pay-in of a client. */
const clients = {
  noKey: 0.1,
  repeat: 0.2,
  reportRight: 0.5,
  reportAgain: 0.2,
  reportWrong: 0.15,
  reportAnothers: 0.25,
  reportOtherSpelling: 0.2,
  reportNonsense: 0.1,
  cancel: 0.15,
  askBack: 0.4,
  read: 0.5,
  /** Per token: it is used until it is refused. */
  staleToken: 0.3,
};

/** Per pay-in. */
const payers = { other: 0.2, corrected: 0.5, takenBack: 0.15, failure: 0.15, late: 0.15, never: 0.15, refused: 0.1 };

/** Per webhook: its endpoint fails for a while, or for good; its client changes it. */
const webhooks = { spell: 0.4, broken: 0.05, change: 0.4 };

/** Per off-ramp: how other services report on it. */
const services = { contradiction: 0.2, failure: 0.15, silence: 0.1, mistake: 0.1, comesBack: 0.1 };

/**
 * Per off-ramp or pay-in: an operator acts on it; per act: it is wrong; per time: finance visits its lists; per visit
 * or act: it does not wait for answers.
 */
const operators = { act: 0.2, err: 0.5, visit: 0.7, hurry: 0.4 };

/** Per round. */
const rounds = {
  outage: 0.5,
  deployment: 0.5,
  badDeployment: 0.3,
  suspension: 0.3,
  leak: 0.3,
  strangeNotice: 0.3,
  hostileClient: 0.4,
  ownPayouts: 0.8,
};

/** Every fault and habit of a round, with its probability. */
export type Swarm = ReturnType<typeof drawSwarm>;

/**
 * Switches each of them on or off. Some rounds have nearly all of them, some nearly none. In a quiet one nothing fails:
 * actors have habits, notifications get lost, and reads and indexes lag.
 */
export function drawSwarm(random: Random, isQuiet = false) {
  const share = random.next();
  const drawn = <Fault extends string>(part: Readonly<Record<Fault, number>>) =>
    mapValues(part, (probability) => (random.chance(share) ? probability : 0));
  const failing = <Fault extends string>(part: Readonly<Record<Fault, number>>) =>
    drawn(isQuiet ? mapValues(part, () => 0) : part);
  return {
    chances: failing({ ...chances }),
    lambda: failing({ ...lambda }),
    gateway: failing({ ...gateway }),
    dynamo: failing({ ...dynamo }),
    reads: drawn({ ...reads }),
    streams: failing({ ...streams }),
    schedules: failing({ ...schedules }),
    queues: failing({ ...queues }),
    bus: failing({ ...bus }),
    executions: failing({ ...executions }),
    keys: failing({ ...keys }),
    custodian: failing({ ...custodian }),
    custodianManners: drawn({ ...custodianManners }),
    // Now and then a provider never notifies at all.
    custodianNotifications: { ...drawn({ ...notifications }), ...(random.chance(0.1) && { lost: 1 }) },
    rail: failing({ ...rail }),
    railManners: drawn<keyof RailManners>({ isWompi: 1, twice: 0.3 }),
    railNotifications: { ...drawn({ ...notifications }), ...(random.chance(0.2) && { lost: 1 }) },
    endpoints: failing({ ...endpoints }),
    users: drawn(users),
    clients: drawn(clients),
    payers: drawn(payers),
    webhooks: { ...drawn(webhooks), ...(isQuiet && { spell: 0 }) },
    services: drawn(services),
    operators: drawn(operators),
    rounds: { ...drawn(rounds), ...(isQuiet && { outage: 0, deployment: 0, badDeployment: 0 }) },
  };
}
