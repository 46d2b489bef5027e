import { createHash, randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { clientStatusChanged } from '#shared/clients/client-contract.ts';
import { createClientApprovals } from '#shared/clients/client-repository.ts';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, OffRampUser, withdrawalPath } from '#test/support/http-client.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';
import { subscriber } from '#test/support/webhook-subscriber.ts';

const { dynamo, bus, tables } = deployedParts();
const clients = inject('stack')['clientsTable'] ?? '';
const approvals = createClientApprovals(dynamo, { clients, events: tables.events }, systemClock);
const approved = new OffRampUser();

/** A separate client for each test, which is not approved yet. */
async function newClient(): Promise<DemoClient & { readonly userId: string }> {
  const [clientId, clientSecret, userId, walletId] = [randomUUID(), randomUUID(), randomUUID(), approved.wallet.id];
  const put = (table: string, record: Readonly<Record<string, unknown>>) =>
    dynamo.send(new PutCommand({ TableName: inject('stack')[`${table}Table`], Item: record }));
  const secretDigests = [createHash('sha256').update(clientSecret).digest('hex')];
  await put('clients', { clientId, complianceStatus: 'pending', status: 'pending', secretDigests });
  await put('users', { userId, clientId });
  const { network, address } = approved.wallet;
  await put('wallets', { userId, walletId, network, address });
  return { name: 'new', clientId, clientSecret, approved: false, users: [], userId };
}

async function tell(clientId: string, told: Readonly<Record<string, string>>): Promise<void> {
  const entry = { source: 'payments.compliance', type: 'client.status', detail: { clientId, ...told } };
  expect(await bus.put([entry])).toEqual([]);
}

const untilSequence = (clientId: string, sequence: number) =>
  eventually(
    () => approvals.find(clientId),
    (found) => found?.sequence === sequence,
  );

const createAs = (client: DemoClient & { readonly userId: string }) =>
  callAs(client, 'POST', withdrawalPath(client.userId), approved.order());

async function eventsOf(clientId: string) {
  const found = [];
  for await (const { eventId } of createEventRepository(dynamo, tables.events).ofClientAfter(clientId, '0')) {
    const event = await createEventRepository(dynamo, tables.events).find(eventId);
    if (event?.type === 'compliance.client.status_changed') {
      found.push(clientStatusChanged.parse(JSON.parse(event.body)).data);
    }
  }
  return found.sort((one, next) => one.sequence - next.sequence);
}

test('interface 5.4: a client may operate once both results are approved, and is told of it once', async () => {
  const client = await newClient();
  const { clientId } = client;
  expect((await createAs(client)).status).toBe(403);
  await tell(clientId, { complianceStatus: 'approved' });
  await untilSequence(clientId, 1);
  expect((await createAs(client)).status).toBe(403);
  await tell(clientId, { status: 'approved' });
  await untilSequence(clientId, 2);
  expect(
    (
      await eventually(
        () => createAs(client),
        ({ status }) => status !== 403,
      )
    ).status,
  ).toBe(201);
  expect(await eventsOf(clientId)).toEqual([{ clientId, status: 'approved', previousStatus: 'pending', sequence: 2 }]);
});

test('decisions 7: webhooks of the process compliance are told of it, signed', async () => {
  const client = await newClient();
  await tell(client.clientId, { complianceStatus: 'approved', status: 'approved' });
  await untilSequence(client.clientId, 1);
  const endpoints = await subscriber();
  const webhook = await endpoints.subscribe(client, undefined, 'compliance');
  await tell(client.clientId, { status: 'suspended' });
  const [request] = await eventually(
    async () => webhook.received(),
    (requests) => requests.length > 0,
    120,
  );
  const told = clientStatusChanged.parse(JSON.parse(request?.body.toString() ?? ''));
  expect(told.data).toMatchObject({ clientId: client.clientId, status: 'suspended', previousStatus: 'approved' });
  expect(hasValidSignature(webhook.secret, request?.headers ?? {}, request?.body ?? '')).toBe(true);
  await endpoints.stop();
});
