import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOperationContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { operationStatusChanged } from '#shared/off-ramps/contract/off-ramp-events.ts';
import { resolveContradictionContract } from '#shared/off-ramps/contract/operator-commands.ts';
import {
  listContradictionsContract,
  listOwedContract,
  type listUnpaidContract,
} from '#shared/off-ramps/contract/operator-lookups.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, OffRampUser, withdrawalPath } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

/** Reports of the payout service, as clients and finance see them. */

const scenarios = depositScenarios();

let subscribers: Subscriber;
beforeAll(async () => {
  subscribers = await subscriber();
});
afterAll(() => subscribers.stop());

type List = typeof listOwedContract | typeof listContradictionsContract | typeof listUnpaidContract;

/** The row of an off-ramp in a list, once it appears, or `undefined` once it is gone. */
function listed(list: List, operationId: string, since: string, isThere = true) {
  const read = async (): Promise<Readonly<Record<string, unknown>> | undefined> =>
    (await operate(list, { since })).body.items.find(
      (item: Readonly<Record<string, unknown>>) => item['operationId'] === operationId,
    );
  return eventually(read, (row) => (row !== undefined) === isThere);
}

test('decisions 4: a payout that comes back is owed and waits for finance, who decides on what was seen; its client is notified of the payout only', async () => {
  const client = await newTenant('returned');
  const user = new OffRampUser('POLYGON', client);
  const webhook = await subscribers.subscribe(client);
  const { id, createdAt } = await user.create();
  const operationId = id;
  const tell = async (type: string, detail: object) =>
    expect(await scenarios.bus.put([{ source: 'payments.payouts', type, detail: { operationId, ...detail } }])).toEqual(
      [],
    );
  const read = async () =>
    getOperationContract.success.body.parse(
      JSON.parse((await callAs(client, 'GET', `${withdrawalPath(user.userId)}/${id}`)).text),
    ).operation;
  await scenarios.verifyQuietly(id);
  const payout = { amount: '1000000', currency: 'COP', reference: `pay-${id}`, paidAt: '2026-11-21T15:00:00.000Z' };
  await tell('operation.status', { eventId: `paid-${id}`, status: 'COMPLETED', payout });
  const toldPaid = await webhook.requestsAbout(id, 2);
  const events = toldPaid.map(({ body }) => operationStatusChanged.parse(JSON.parse(body.toString())).data);
  expect(events).toContainEqual(expect.objectContaining({ status: 'COMPLETED', previousStatus: 'PENDING', payout }));
  const paid = await read();
  expect(paid).toMatchObject({ status: 'COMPLETED', payout });

  const { reference } = payout;
  await tell('operation.payout_returned', { eventId: `back-${id}`, payout: { reference }, reason: 'R03' });
  const stands = await listed(listContradictionsContract, id, createdAt);
  expect(stands).toMatchObject({
    status: 'COMPLETED',
    said: ['PAYOUT_RETURNED'],
    sequence: paid.sequence + 1,
    who: 'FINANCE',
  });
  expect(await listed(listOwedContract, id, createdAt)).toMatchObject({ status: 'COMPLETED', amount: '250.5' });
  expect(await read()).toEqual({ ...paid, sequence: paid.sequence + 1 });

  const decide = (outcome: string, sequence: number) =>
    operate(resolveContradictionContract, { operationId, outcome, sequence: String(sequence) });
  const early = await decide('paid', paid.sequence);
  expect([early.status, early.body.code]).toEqual([409, 'OPERATION_STATUS_CONFLICT']);
  expect(early.body.detail).toContain(`reports are open: PAYOUT_RETURNED ${reference}`);
  expect((await decide('not-paid', paid.sequence + 1)).body).toMatchObject({
    paidOut: false,
    sequence: paid.sequence + 2,
  });
  await listed(listContradictionsContract, id, createdAt, false);
  expect(await listed(listOwedContract, id, createdAt)).toBeDefined();
  expect((await decide('paid', paid.sequence + 2)).body).toMatchObject({ paidOut: true });
  await listed(listOwedContract, id, createdAt, false);
  expect(await webhook.requestsAbout(id)).toHaveLength(2);
});
