import { readFeed } from './clients/feed.ts';
import { at } from './clients/in-time.ts';
import { replaceLeaked } from './clients/leak.ts';
import { takeOffRamp } from './clients/off-ramp.ts';
import { takePayin } from './clients/pay-in.ts';
import { readAll } from './clients/read-all.ts';
import { createSession } from './clients/session.ts';
import { keepWebhook } from './clients/webhook.ts';
import { doDeed } from './hostile/do-deed.ts';
import { type Console, createConsole } from './operators/console.ts';
import { explain, recordInTheEnd, visit } from './operators/finance.ts';
import { operate } from './operators/operate.ts';
import { readLists } from './operators/read-lists.ts';
import { breakDown } from './outages.ts';
import type { Outside } from './outside.ts';
import { startPayers } from './providers/payers.ts';
import { quieten } from './quieten.ts';
import { HOUR, MINUTE } from './script/moments.ts';
import type { ClientScript, Script } from './script/script.ts';
import { sayOnBus } from './services/say-on-bus.ts';

/** Milliseconds after the quiet end, when the service has had time to finish; the second only in long rounds. */
const LISTS_READ = [HOUR - MINUTE, 25 * HOUR];

/** When the books are run, because few rounds include a night. A difference alerts somebody only a day later. */
const BOOKS_RUN = [HOUR / 2, 25 * HOUR];

/** Starts every actor outside of the service. */
export function play(script: Script, outside: Outside): void {
  const { schedule } = outside.host;
  const inTime = <Act extends { readonly at: number }>(
    name: string,
    acts: readonly Act[],
    work: (act: Act) => void,
  ) => {
    for (const act of acts) {
      schedule.start(name, async () => {
        await at(outside, act.at);
        work(act);
      });
    }
  };
  startPayers(outside, script.payins);
  inTime('another service', script.notices, (notice) => sayOnBus(outside, notice));
  inTime(
    'deployment',
    script.deployments.map((deployedAt) => ({ at: deployedAt })),
    outside.deploy,
  );
  const operator = createConsole(outside);
  for (const client of script.clients) playClient(script, outside, client, operator);
  inTime('operator', script.operators, (act) => {
    for (const name of act.isTwice ? ['operator', 'another operator'] : ['operator'])
      schedule.start(`${name}: ${act.does}`, () => operate[act.does](outside, operator, act));
  });
  inTime('finance', script.finance, (act) => {
    schedule.start(`finance: ${act.person}`, () => visit(outside, operator, act));
  });
  outside.custodian.sendings.whenBoosted((sent) => {
    schedule.start('finance: who has boosted', () => recordInTheEnd(outside, operator, sent));
  });
  for (const outage of script.outages) schedule.start('outage', () => breakDown(outside, outage));
  inTime('quiet end', [{ at: script.quietFrom }], () => {
    quieten(outside.swarm);
  });
  // Operators move dead letters back late, when what they are about may have changed.
  const latest = Math.min(12 * HOUR, (script.endsAt ?? Number.POSITIVE_INFINITY) - script.quietFrom - HOUR);
  inTime('operator', [{ at: script.quietFrom + outside.host.random.below(Math.max(MINUTE, latest)) }], outside.redrive);
  const { endsAt } = script;
  if (endsAt !== undefined) {
    const runs = BOOKS_RUN.map((after) => ({ at: script.quietFrom + after }));
    const inRound = runs.filter(({ at: time }) => time < endsAt);
    inTime('operator', inRound, () => {
      schedule.start('operator runs the books', async () => void (await operator.change('run-books', { book: 'all' })));
    });
    inTime('finance', inRound, ({ at: time }) => {
      const act = { at: time, person: 'ana', isWrong: false, isImpatient: false };
      schedule.start('finance explains the books', () => explain(outside, operator, act));
    });
  }
  const readings = LISTS_READ.map((after) => ({ at: script.quietFrom + after }));
  inTime(
    'finance',
    readings.filter(({ at: time }) => time < (script.endsAt ?? Number.POSITIVE_INFINITY)),
    () => {
      schedule.start('finance reads its lists', () => readLists(outside, operator));
    },
  );
}

function playClient(script: Script, outside: Outside, client: ClientScript, operator: Console): void {
  const { schedule } = outside.host;
  const session = createSession(outside, client);
  const own = <Act extends { readonly clientId: string }>(acts: readonly Act[]) =>
    acts.filter((act) => act.clientId === client.clientId);
  for (const webhook of client.webhooks) {
    schedule.start(`${client.name}: webhook`, () => keepWebhook(outside, session, webhook));
  }
  const { feed, leak } = client;
  if (leak !== undefined) {
    schedule.start(`${client.name}: a leak`, () => replaceLeaked(outside, operator, session, leak));
  }
  if (feed !== undefined) {
    schedule.start(`${client.name}: feed`, () => readFeed(outside, session, feed, script));
  }
  if (client.readsLists === true) {
    schedule.start(`${client.name} reads its lists`, async () => {
      await at(outside, script.quietFrom + HOUR / 2);
      await readAll(outside, session);
    });
  }
  for (const offRamp of own(script.offRamps)) {
    schedule.start(`${client.name}: ${offRamp.name}`, () => takeOffRamp(outside, session, offRamp));
  }
  for (const payin of own(script.payins)) {
    schedule.start(`${client.name}: ${payin.name}`, () => takePayin(outside, session, payin));
  }
  for (const deed of own(script.deeds)) {
    schedule.start(`${client.name}: ${deed.deed}`, () => doDeed(outside, session, deed));
  }
}
