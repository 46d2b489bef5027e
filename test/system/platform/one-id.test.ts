import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { functionLogGroups } from '#test/support/function-logs.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

let endpoints: Subscriber;

beforeAll(async () => {
  endpoints = await subscriber();
});

afterAll(() => endpoints.stop());

const parts = deployedParts();

test('the id of an off-ramp is in every line about it: its requests, execution, deposits, events and deliveries', async () => {
  const since = Date.now();
  const client = await newTenant('one-id');
  const user = new OffRampUser('POLYGON', client);
  const webhook = await endpoints.subscribe(client);
  const operation = await user.create();
  const [wrong, right] = [newHash(), newHash()];
  await user.deposit(operation, wrong, { amount: '1', notify: true });
  await user.submit(operation.id, right);
  await user.deposit(operation, right, { notify: true });
  await user.readUntil(operation.id, ({ operationStatus }) => operationStatus === 'COMPLETED');
  const found = await parts.operations.find(operation.id);
  const told = found === undefined ? [] : await parts.eventsOf(found);
  const requests = await webhook.requestsAbout(operation.id, told.length);
  const eventIds = requests.map(({ headers }) => headers['webhook-id'] ?? '');
  const { deliveries } = await webhook.page('?limit=100');
  const ids = [
    operation.id,
    ...eventIds,
    ...deliveries.map(({ id }) => id),
    ...[wrong, right].map((hash) => `simulated:sim:POLYGON:${hash}`),
    ...[wrong, right].map((hash) => depositIdOf(`simulated:sim:POLYGON:${hash}`)),
  ];

  const isAbout = (line: string) => line.includes(`operationId: '${operation.id}'`);
  const isOfDelivery = (line: string) => line.includes("consumer: 'deliver-webhook'");
  const lines = await eventually(
    async () => linesWith(ids, (await functionLogGroups(since)).flat().join('\n')),
    (logged) => logged.filter((line) => isOfDelivery(line) && isAbout(line)).length >= told.length,
  );
  // A notification is accepted before its operation is known, and a message may find its delivery already made.
  const isBefore = (line: string) => line.includes("route: 'receive-custodian-notification'");
  const findsNothing = (line: string) => isOfDelivery(line) && !line.includes('eventId:');
  expect(lines.filter((line) => !isAbout(line) && !isBefore(line) && !findsNothing(line))).toEqual([]);
});

/** What was logged as one object, over several lines of text. */
function linesWith(ids: readonly string[], logs: string): readonly string[] {
  return [...logs.matchAll(/\{\n {2}code:.*?\n\}/gs)]
    .map(([line]) => line)
    .filter((line) => ids.some((id) => line.includes(id)));
}
