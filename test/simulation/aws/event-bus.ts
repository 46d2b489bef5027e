import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { RuleShape } from '#test/simulation/topology/topology.ts';
import { ACCOUNT, REGION } from '#test/simulation/topology/values.ts';
import { Unsupported } from './dynamodb/unsupported.ts';
import { compilePattern } from './event-pattern.ts';
import type { Answer, Host } from './host.ts';
import { type NetworkFaults, overTheNetwork } from './over-the-network.ts';
import { busRefusal, type CheckedEntry, checkCall, checkEntry, entryRefusals } from './put-events.ts';
import type { Queues } from './queues.ts';

/** Probabilities. */
export interface BusFaults extends NetworkFaults {
  /** An entry is refused while the others of its call are taken. */
  readonly entryRefusal: number;
  /** A rule puts an event into its queue twice, the second time up to a day later. */
  readonly duplicate: number;
  /** A queue does not take an event at this attempt. */
  readonly undelivered: number;
  /** A queue takes no event for hours, or for the whole day that EventBridge retries. */
  readonly outage: number;
}

export interface EventBus {
  readonly answer: Answer;
  /** Another service puts an event on the bus. */
  put(event: CheckedEntry): void;
  /** Events that no target took for a day; they are in their rules' dead letters. */
  readonly undelivered: readonly string[];
}

const DAY = 24 * 3600 * 1000;
const LONGEST_OUTAGE = 1.25 * DAY;

/** Milliseconds before the second attempt; doubled before each later one, up to the longest. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 600_000;

/** A bus with rules that put its events into queues: each at least once, in any order. */
export function createEventBus(
  host: Host,
  rules: readonly RuleShape[],
  queues: Pick<Queues, 'send'>,
  faults: BusFaults,
): EventBus {
  const { schedule, random, trace } = host;
  const { clock } = schedule;
  const compiled = rules.map((rule) => ({ ...rule, matches: compilePattern(rule.pattern) }));
  const undelivered: string[] = [];
  let accepted = 0;

  function put({ source, type, detail }: CheckedEntry): string {
    accepted += 1;
    const event = {
      version: '0',
      id: `event-${accepted}`,
      'detail-type': type,
      source,
      account: ACCOUNT,
      time: inSeconds(clock.now()),
      region: REGION,
      resources: [],
      detail,
    };
    const json = JSON.stringify(event);
    for (const rule of compiled) {
      if (!rule.matches(event)) continue;
      const body = rule.template === undefined ? json : filled(rule.template, json, clock.now());
      deliver(rule, body, 0);
      if (random.chance(faults.duplicate)) deliver(rule, body, random.chance(0.5) ? 0 : random.below(DAY));
    }
    trace(() => `bus: ${json}`);
    return event.id;
  }

  function deliver({ id, queue, deadLetters }: RuleShape, body: string, delay: number): void {
    schedule.start(id, async () => {
      if (delay > 0) await clock.sleep(delay);
      await schedule.turn('REQUEST');
      const isTaken = await delivered();
      if (!isTaken) undelivered.push(body);
      queues.send(isTaken ? queue : deadLetters, body);
    });
  }

  /** Retries for a day until the queue takes the event. */
  async function delivered(): Promise<boolean> {
    const begunAt = clock.now().getTime();
    const outUntil = random.chance(faults.outage) ? begunAt + random.below(LONGEST_OUTAGE) : begunAt;
    const isOut = () => faults.outage > 0 && clock.now().getTime() < outUntil;
    for (let pause = FIRST_PAUSE; isOut() || random.chance(faults.undelivered); pause *= 2) {
      await clock.sleep(Math.min(pause, LONGEST_PAUSE) * (0.5 + random.next()));
      if (clock.now().getTime() >= begunAt + DAY) return false;
    }
    return true;
  }

  function take(entry: PutEventsRequestEntry): object {
    if (random.chance(faults.entryRefusal)) return random.pick(entryRefusals);
    const checked = checkEntry(entry);
    return 'ErrorCode' in checked ? checked : { EventId: put(checked) };
  }

  function putAll(entries: readonly PutEventsRequestEntry[]): object {
    checkCall(entries);
    const results = entries.map(take);
    return {
      $metadata: {},
      FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
      Entries: results,
    };
  }

  return {
    answer: overTheNetwork(host, faults, busRefusal, (command) => {
      if (command instanceof PutEventsCommand) return putAll(command.input.Entries ?? []);
      throw new Unsupported(command.constructor.name);
    }),
    put: (event) => void put(event),
    undelivered,
  };
}

/** @throws {Unsupported} for any other variable of EventBridge; these two are inserted without escaping */
function filled(template: string, event: string, ingested: Date): string {
  return template.replaceAll(/<([^>]*)>/g, (_, variable: string) => {
    switch (variable) {
      case 'aws.events.event.json':
        return event;
      case 'aws.events.event.ingestion-time':
        return ingested.toISOString();
      default:
        throw new Unsupported(`the variable ${variable} of a template`);
    }
  });
}

/** The time of an event has no fraction of a second. */
function inSeconds(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
