import { describe, expect, test } from 'vitest';
import { releaseDueDeliveries } from '#functions/webhooks/release-due-deliveries/release-due-deliveries.ts';
import { type Delivery, newDelivery } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { ACCEPTED_CALL, REFUSED_CALL } from '#test/support/call-summaries.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory } from '#test/support/health-in-memory.ts';
import { CLIENT, WEBHOOK } from '#test/support/ids.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const START = '2026-11-21T12:00:00.000Z';

/** Seconds after which its function is stopped, whatever it is doing (infra/webhooks/webhook-deliveries.ts). */
const STOPPED_AFTER = 55;

/** Seconds after which a delivery without an attempt is due again: its message counts as lost. */
const MESSAGE_LOST_AFTER = 300;

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The only webhook of a client of its own. */
const webhookOfClient = (number: number): Webhook => {
  const start = String(number).padStart(8, '0');
  return webhookOf({ clientId: `${start}-${CLIENT.slice(9)}`, webhookId: `${start}-${WEBHOOK.slice(9)}` });
};

/** A delivery that is due this many seconds after the start, or before it if negative. */
function dueIn(seconds: number, event: string, webhook = webhookOf()): Delivery {
  const createdAt = new Date(Date.parse(START) + (seconds - MESSAGE_LOST_AFTER) * 1000);
  return newDelivery(eventOf(`evt_${event}`, { clientId: webhook.clientId }), webhook, 'SCHEDULED', createdAt);
}

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ deliveryId }) => deliveryId);

/** The sweep of these deliveries; each message takes `secondsPerMessage` to send. */
function sweeping(deliveries: readonly Delivery[], { webhooks = [webhookOf()], secondsPerMessage = 0 } = {}) {
  const clock = fakeClock(START);
  const table = deliveriesInMemory(...deliveries);
  const health = healthInMemory(clock);
  const sent: string[] = [];
  const delays: number[] = [];
  const broken = new Set<string>();
  const parts = {
    dueBefore: table.dueBefore,
    reserve: table.reserve,
    find: webhooksInMemory(...webhooks).find,
    circuit: health.circuit,
    sendMessage: async ({ deliveryId }: { readonly deliveryId: string }, delay: number) => {
      clock.advance(secondsPerMessage);
      if (broken.has(deliveryId)) throw new Error('The queue says no.');
      sent.push(deliveryId);
      delays.push(delay);
    },
  };
  return {
    clock,
    health,
    parts,
    broken,
    sent,
    delays,
    /** Runs the sweep this many seconds after the start: the deliveries that it sends, and the seconds it takes. */
    async runAt(seconds: number) {
      const beginsAt = Date.parse(START) + seconds * 1000;
      const before = sent.length;
      clock.set(new Date(beginsAt).toISOString());
      await releaseDueDeliveries({
        deliveries: parts,
        webhooks: parts,
        health: parts,
        listClientIds: async () => [...new Set(deliveries.map(({ clientId }) => clientId))],
        sendMessage: (...given) => parts.sendMessage(...given),
        clock,
      })();
      return { sent: sent.slice(before), took: (clock.now().getTime() - beginsAt) / 1000 };
    },
  };
}

describe('decisions 7, retries: when more is due than one run can send', () => {
  const due = upTo(3000).map((index) => dueIn(-10_800 + index, `due ${index}`, webhookOfClient(index % 10)));
  const notYetDue = upTo(300).map((index) => dueIn(MESSAGE_LOST_AFTER, `later ${index}`));
  const webhooks = upTo(10).map(webhookOfClient);

  test('a run stops by itself before it is stopped, and the next ones send the rest, each delivery once', async () => {
    const sweep = sweeping([...due, ...notYetDue], { webhooks, secondsPerMessage: 0.04 });
    const runs = [await sweep.runAt(0), await sweep.runAt(60), await sweep.runAt(120)];
    for (const { sent, took } of runs) {
      expect(took).toBeLessThan(STOPPED_AFTER);
      expect(sent.length).toBeLessThan(due.length / 2);
    }
    const sent = runs.flatMap((run) => run.sent);
    expect(sent.toSorted()).toEqual(idsOf(due).toSorted());
    expect((await sweep.runAt(180)).sent).toEqual([]);
  });

  test('of a run that is stopped nevertheless the next ones send the rest, and what it had begun', async () => {
    const sweep = sweeping(due, { webhooks });
    const { sendMessage } = sweep.parts;
    const stopped = Promise.withResolvers<void>();
    sweep.parts.sendMessage = async (...message) => {
      if (sweep.sent.length < 1000) return sendMessage(...message);
      // A stopped function gets no more answers, and its run gives none.
      stopped.resolve();
      return new Promise(() => undefined);
    };
    await Promise.race([sweep.runAt(0), stopped.promise]);
    sweep.parts.sendMessage = sendMessage;
    const { sent } = await sweep.runAt(60);
    const known = new Set(sweep.sent);
    const missing = idsOf(due).filter((deliveryId) => !known.has(deliveryId));
    expect(sent.length + missing.length).toBe(2000);
    expect(missing.length).toBeLessThanOrEqual(50);
    expect((await sweep.runAt(60 + 1800)).sent).toEqual(expect.arrayContaining(missing));
  });
});

describe('decisions 7, isolation: no client’s backlog delays another', () => {
  const [big, small] = [webhookOfClient(1), webhookOfClient(2)];
  const backlog = upTo(5000).map((index) => dueIn(-10_800 + index, `big ${index}`, big));
  const late = upTo(20).map((index) => dueIn(30, `small ${index}`, small));

  test("a run that has no time to read all of one's backlog has sent everything of the other's", async () => {
    const sweep = sweeping([...backlog, ...late], { webhooks: [big, small] });
    const read = readingSlowly(sweep);
    const { sent } = await sweep.runAt(0);
    expect(read.length).toBeLessThan(backlog.length / 2);
    expect(sent).toEqual(expect.arrayContaining(idsOf(late)));
  });

  test('no client gets more messages than its slots can work on: the rest stays due, and is not written', async () => {
    const other = webhookOf({ clientId: big.clientId });
    const ofOther = upTo(1000).map((index) => dueIn(-60, `other ${index}`, other));
    const sweep = sweeping([...backlog, ...ofOther], { webhooks: [big, other] });
    const { reserve } = sweep.parts;
    let taken = 0;
    sweep.parts.reserve = async (...given) => {
      taken += 1;
      return reserve(...given);
    };
    const { sent } = await sweep.runAt(0);
    const ofBig = new Set(idsOf(backlog));
    expect([sent.length, taken]).toEqual([1000, 1000]);
    expect(sent.filter((deliveryId) => ofBig.has(deliveryId)).length).toBeLessThanOrEqual(800);
    expect((await sweep.runAt(60)).sent).toHaveLength(1000);
  });
});

/** A run has time to read some 450 of what is due. @returns what was read */
function readingSlowly({ parts, clock }: ReturnType<typeof sweeping>): readonly string[] {
  const { dueBefore } = parts;
  const read: string[] = [];
  parts.dueBefore = async function* (...given) {
    for await (const one of dueBefore(...given)) {
      clock.advance(0.1);
      read.push(one.deliveryId);
      yield one;
    }
  };
  return read;
}

test('decisions 7, isolation: when there is too much to read, deliveries that were not read go before those that waited for their turn', async () => {
  captureLogs();
  const due = upTo(600).map((index) => dueIn(-6000 + index, `due ${index}`));
  const sweep = sweeping(due);
  const { circuit } = sweep.parts;
  sweep.parts.circuit = async () => {
    throw new Error('throttled');
  };
  const read = readingSlowly(sweep);
  expect((await sweep.runAt(0)).sent).toEqual([]);
  const notRead = idsOf(due).filter((deliveryId) => !read.includes(deliveryId));
  expect(notRead).not.toEqual([]);
  sweep.parts.circuit = circuit;
  const runs = [await sweep.runAt(60), await sweep.runAt(120)];
  expect(runs[0]?.sent).toEqual(expect.arrayContaining(notRead));
  expect(runs.flatMap(({ sent }) => sent).toSorted()).toEqual(idsOf(due).toSorted());
});

describe('decisions 7, isolation: deliveries of a parked webhook are not handed out', () => {
  const parked = webhookOfClient(1);
  // Of the same client: another's would not wait anyway.
  const other = webhookOf({ clientId: parked.clientId });
  const waiting = upTo(500).map((index) => dueIn(-600 + index / 10, `parked ${index}`, parked));
  const due = dueIn(0, 'other', other);

  function sweepOfOpenCircuit(webhook = parked) {
    const sweep = sweeping([...waiting, due], { webhooks: [webhook, other] });
    const asked: string[] = [];
    const { find, circuit, reserve } = sweep.parts;
    Object.assign(sweep.parts, {
      find: async (clientId: string, webhookId: string) => {
        asked.push(`find ${webhookId}`);
        return find(clientId, webhookId);
      },
      circuit: async (one: Webhook) => {
        asked.push(`circuit ${one.webhookId}`);
        return circuit(one);
      },
      reserve: async (...given: Parameters<typeof reserve>) => {
        asked.push('reserve');
        return reserve(...given);
      },
    });
    return { sweep, asked };
  }

  async function park({ health }: ReturnType<typeof sweeping>): Promise<void> {
    for (const token of ['1', '2', '3', '4', '5']) await health.recordResult(parked, token, REFUSED_CALL);
  }

  test('hundreds of waiting deliveries cost two reads of their webhook, no message and no write', async () => {
    const { sweep, asked } = sweepOfOpenCircuit();
    await park(sweep);
    expect((await sweep.runAt(0)).sent).toEqual([due.deliveryId]);
    const [ofOpen, ofOther] = [parked, other].map(({ webhookId }) => [`find ${webhookId}`, `circuit ${webhookId}`]);
    expect(asked.toSorted()).toEqual([...(ofOpen ?? []), ...(ofOther ?? []), 'reserve'].toSorted());
  });

  test('when the parking is over one goes out as a probe, and all when that one has succeeded', async () => {
    const { sweep } = sweepOfOpenCircuit();
    await park(sweep);
    const [probe = '', ...further] = (await sweep.runAt(61)).sent.filter((id) => id !== due.deliveryId);
    expect(idsOf(waiting)).toContain(probe);
    expect(further).toEqual([]);
    await sweep.health.requestAttempt(parked, 'probe', false);
    expect((await sweep.runAt(70)).sent).toEqual([]);
    await sweep.health.recordResult(parked, 'probe', ACCEPTED_CALL);
    expect((await sweep.runAt(120)).sent).toHaveLength(499);
  });

  test('more of them than a run can read hold nothing else back: they are postponed to the end of the parking', async () => {
    const { sweep } = sweepOfOpenCircuit();
    await park(sweep);
    readingSlowly(sweep);
    const runs = [await sweep.runAt(0), await sweep.runAt(1)];
    expect(runs.map(({ sent }) => sent)).toEqual([[], [due.deliveryId]]);
    const [probe, ...others] = (await sweep.runAt(61)).sent;
    expect(idsOf(waiting)).toContain(probe);
    expect(others).toEqual([]);
  });

  test('once the webhook is deactivated or removed, all go out to be cancelled, and do not wait for probes', async () => {
    for (const webhook of [{ ...parked, status: false }, other]) {
      const { sweep } = sweepOfOpenCircuit(webhook);
      await park(sweep);
      expect((await sweep.runAt(0)).sent).toHaveLength(501);
    }
  });

  test('a webhook that cannot be read is left to the next run, and holds up no other', async () => {
    const lines = captureLogs();
    const { sweep } = sweepOfOpenCircuit();
    const { circuit } = sweep.parts;
    sweep.parts.circuit = async (webhook) => {
      if (webhook.webhookId === parked.webhookId) throw new Error('throttled');
      return circuit(webhook);
    };
    expect((await sweep.runAt(0)).sent).toEqual([due.deliveryId]);
    expect(lines).toMatchObject([
      { level: 'error', code: 'DELIVERIES_NOT_RELEASED', fields: { webhookId: parked.webhookId } },
    ]);
  });
});

describe('decisions 7, retries: a delivery whose message was sent', () => {
  test('is sent few more while the queue stands still: twelve in three hours, and two an hour from then on', async () => {
    const sweep = sweeping([dueIn(0, 'one')]);
    let inThreeHours = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await sweep.runAt(minute * 60);
      if (minute === 180) inThreeHours = sweep.sent.length;
    }
    expect(inThreeHours).toBeLessThanOrEqual(12);
    expect(sweep.sent.length).toBeLessThanOrEqual(12 + 2 * 21);
  });
});

describe('decisions 7, retries: a delivery that cannot be sent', () => {
  const due = upTo(20).map((index) => dueIn(-1000 + index, `${index}`));
  const [bad = '', ...others] = idsOf(due);

  test('because it cannot be reserved is reported, holds up no other, and is sent by the next run', async () => {
    const lines = captureLogs();
    const sweep = sweeping(due);
    const { reserve } = sweep.parts;
    sweep.parts.reserve = async (seen, lostAt) => {
      if (seen.deliveryId === bad) throw new Error('throttled');
      return reserve(seen, lostAt);
    };
    expect((await sweep.runAt(0)).sent).toEqual(others);
    expect(lines).toMatchObject([{ level: 'error', code: 'DELIVERY_NOT_RELEASED', fields: { deliveryId: bad } }]);
    sweep.parts.reserve = reserve;
    expect((await sweep.runAt(60)).sent).toEqual([bad]);
  });
});
