import { longestPolicy } from '#infra/cli/preflight-checks.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { DUE_PAGE_SIZE } from '#shared/platform/dynamodb/due-queue.ts';
import { MOST_ACTIVE_WEBHOOKS } from '#shared/webhooks/model/webhook.ts';
import { ANSWERED_IN } from '#test/simulation/cost/meter.ts';
import type { Bound, Kind, Load } from './load.ts';
import { SOCKETS, worksOf } from './works.ts';

/** Megabytes of memory with which Lambda gives a function one whole processor. */
const WHOLE_PROCESSOR = 1769;

/** Seconds of a whole processor per call of the SDK: assumed. */
const CPU_OF_CALL = 0.001;

/** Megabytes of Node with the SDK, of an index entry in memory, and of one that a sweep puts off: assumed. */
const MEGABYTES = { idle: 110, entry: 0.0006, putOff: 0.0003 };

export interface Sweep {
  readonly folder: string;
  readonly kind: Kind;
  readonly atOnce: number;
  readonly runs: number;
  readonly megabytes: number;
  /** Megabytes that it needs with a thousand clients. */
  readonly needs: number;
  /** Seconds until it has read the first entries of a thousand clients. */
  readonly readsClientsIn: number | undefined;
  readonly holds: number;
  readonly change: string;
}

const CLIENTS = 1000;

export function sweepsOf(load: Load): readonly Sweep[] {
  return worksOf(load).map(({ each, waits, calls, ofClients, keeps = 0, ...work }) => {
    const megabytes = load.memoryOf(work.folder);
    const ofCall = CPU_OF_CALL / Math.min(1, megabytes / WHOLE_PROCESSOR);
    const aSecond = Math.min(work.atOnce / (waits / 1000), calls === 0 ? Infinity : 1 / (calls * ofCall));
    const read = ofClients ? CLIENTS * DUE_PAGE_SIZE : work.atOnce;
    return {
      ...work,
      megabytes,
      needs: Math.ceil(MEGABYTES.idle + read * MEGABYTES.entry + keeps * MEGABYTES.putOff),
      readsClientsIn: ofClients ? CLIENTS * Math.max(ofCall, ANSWERED_IN.QUERY / 1000 / SOCKETS) : undefined,
      holds: (aSecond * work.runs) / 60 / each,
    };
  });
}

/** Returns a sweep as a bound. */
export function boundOf({ folder, kind, atOnce, runs, holds, change }: Sweep): Bound {
  const [, name] = folder.split('/');
  return { kind, what: `${name}: ${atOnce} at once, ${runs} of 60 seconds`, holds, change };
}

/** Characters of an API's policy, unless AWS raises the limit. */
const MOST_OF_POLICY = 8192;
const LONGEST_BLOCK = '255.255.255.255/32';

/** Returns how many clients there can be, and what to change before that. */
export function boundsOfClients(sweeps: readonly Sweep[]) {
  const { first } = stageNamed('prod').deliverySlots;
  const slowest = sweeps
    .flatMap(({ readsClientsIn, ...one }) => (readsClientsIn === undefined ? [] : { ...one, readsClientsIn }))
    .toSorted((one, other) => one.runs / one.readsClientsIn - other.runs / other.readsClientsIn)
    .slice(0, 1);
  return [
    {
      clients: first.all / MOST_ACTIVE_WEBHOOKS,
      what: `${first.all} first attempts at once: so many clients, ${MOST_ACTIVE_WEBHOOKS} webhooks each, whose every endpoint begins to hang in the same minute, take them until their circuits open`,
      change: 'all of deliverySlots',
    },
    {
      clients: (MOST_OF_POLICY - longestPolicy({ ipAllowlist: [] })) / `"${LONGEST_BLOCK}",`.length,
      what: `${MOST_OF_POLICY.toLocaleString('en-US')} characters of the API's policy, with one address of each client in ipAllowlist`,
      change: 'ask AWS for a longer policy; npm run preflight says so before',
    },
    ...slowest.map(({ folder, megabytes }) => ({
      clients: (megabytes - MEGABYTES.idle) / (DUE_PAGE_SIZE * MEGABYTES.entry),
      what: `${megabytes} MB of ${folder.split('/')[1]}, which keeps a page of each client's entries`,
      change: 'more memory',
    })),
    ...slowest.map(({ folder, runs, readsClientsIn }) => ({
      clients: (CLIENTS * runs) / readsClientsIn,
      what: `${runs} seconds in which ${folder.split('/')[1]} reads what is due of each client`,
      change: 'more memory, which is more processor',
    })),
    {
      clients: 10_000,
      what: 'API keys of an account in a region, one for each client, which AWS does not raise',
      change: 'a second production, in another account or region',
    },
  ];
}
