import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createClientApprovals, createFindClient, createFindClientProfile } from '#shared/clients/client-repository.ts';
import { createFindUser, createFindWallet } from '#shared/clients/user-repository.ts';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createListedOffRamps, createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createFindPayin, createListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { eventNo } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';

const clock = fakeClock(CREATED_AT);
const ID = 'id';

const reads: Readonly<Record<string, (dynamo: DynamoDBDocumentClient) => Promise<unknown>>> = {
  'a client': (dynamo) => createFindClient(dynamo, 'clients')(ID),
  "a client's profile": (dynamo) => createFindClientProfile(dynamo, 'clients')(ID),
  "a client's approval": (dynamo) =>
    createClientApprovals(dynamo, { clients: 'clients', events: 'events' }, clock).find(ID),
  'a user': (dynamo) => createFindUser(dynamo, 'users')(ID, ID),
  'a wallet': (dynamo) => createFindWallet(dynamo, 'wallets')(ID, ID),
  'an operation': (dynamo) => createOffRampRepository(dynamo, 'operations').find(ID),
  'an operation and its verification': (dynamo) =>
    createOffRampRepository(dynamo, 'operations').findWithVerification(ID),
  'the operations of a list': (dynamo) => createListedOffRamps(dynamo, 'operations', clock).getReadable([ID]),
  'a claim of a hash': (dynamo) => findClaimant(dynamo, 'hashes', 'FUNDED', ID),
  'the owner of an address': (dynamo) => createFindAddressOwners(dynamo, 'hashes')(transfer()),
  'a search for a hash': (dynamo) => createHashSearches(dynamo, 'deposits', clock).find(ID),
  'a deposit': (dynamo) => createDepositRepository(dynamo, 'deposits', systemClock).find(ID),
  'a pay-in': (dynamo) => createFindPayin(dynamo, 'payins')(ID),
  'the pay-ins of a list': (dynamo) => createListedPayins(dynamo, 'payins', clock).getReadable([ID]),
  'a webhook': (dynamo) => createWebhookRepository(dynamo, 'webhooks').find(ID, ID),
  'the webhooks of a client': (dynamo) => createWebhookRepository(dynamo, 'webhooks').list(ID),
  'a delivery': (dynamo) => createDeliveryRepository(dynamo, 'deliveries').find(ID, clock.now()),
  'an event': (dynamo) => createEventRepository(dynamo, 'events').find(eventNo(1)),
};

const consistent = z.object({ ConsistentRead: z.literal(true) });
const consistentBatch = z.object({ RequestItems: z.record(z.string(), consistent) });

describe('reads that a decision is based on are consistent', () => {
  test.each(Object.keys(reads))('%s', async (name) => {
    const { client, sent } = fakeDynamo(async () => ({}));
    await reads[name]?.(client);
    expect(sent).toHaveLength(1);
    expect(sent.filter((input) => !z.union([consistent, consistentBatch]).safeParse(input).success)).toEqual([]);
  });
});
