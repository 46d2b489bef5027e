import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { clientApprovalsIn } from '#shared/clients/client-approvals.ts';
import { clientProfilesIn } from '#shared/clients/client-profiles.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { usersIn, walletsIn } from '#shared/clients/user-store.ts';
import { eventsIn } from '#shared/events/event-store.ts';
import { depositsIn } from '#shared/off-ramps/deposit-store.ts';
import { claimantOf } from '#shared/off-ramps/hash-claims.ts';
import { createUserOperations, operationsIn } from '#shared/off-ramps/operation-store.ts';
import { createUserPayins, payinsIn } from '#shared/pay-ins/payin-store.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { deliveriesIn } from '#shared/webhooks/delivery-store.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { dynamoThat } from '#test/support/dynamo-that.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const clock = fakeClock(CREATED_AT);
const ID = 'id';

const reads: Readonly<Record<string, (dynamo: DynamoDBClient) => Promise<unknown>>> = {
  'a client': (dynamo) => clientsIn(dynamo, 'clients')(ID),
  "a client's profile": (dynamo) => clientProfilesIn(dynamo, 'clients')(ID),
  "a client's approval": (dynamo) =>
    clientApprovalsIn(dynamo, { clients: 'clients', events: 'events' }, clock, () => ID).find(ID),
  'a user': (dynamo) => usersIn(dynamo, 'users')(ID, ID),
  'a wallet': (dynamo) => walletsIn(dynamo, 'wallets')(ID, ID),
  'an operation': (dynamo) => operationsIn(dynamo, 'operations').find(ID),
  'an operation and its verification': (dynamo) => operationsIn(dynamo, 'operations').findWithVerification(ID),
  'the operations of a list': (dynamo) => createUserOperations(dynamo, 'operations', clock).getAll([ID]),
  'a claim of a hash': (dynamo) => claimantOf(dynamo, 'hashes', 'FUNDED', ID),
  'a deposit': (dynamo) => depositsIn(dynamo, 'deposits', systemClock).find(ID),
  'a pay-in': (dynamo) => payinsIn(dynamo, 'payins').find(ID),
  'the pay-ins of a list': (dynamo) => createUserPayins(dynamo, 'payins', clock).getAll([ID]),
  'a webhook': (dynamo) => webhooksIn(dynamo, 'webhooks').find(ID, ID),
  'the webhooks of a client': (dynamo) => webhooksIn(dynamo, 'webhooks').list(ID),
  'a delivery': (dynamo) => deliveriesIn(dynamo, 'deliveries').find(ID, clock.now()),
  'an event': (dynamo) => eventsIn(dynamo, 'events').find(ID),
};

const consistent = z.object({ ConsistentRead: z.literal(true) });
const consistentBatch = z.object({ RequestItems: z.record(z.string(), consistent) });

describe('what is decided on is read as it is now, never as it was a moment ago', () => {
  test.each(Object.keys(reads))('%s', async (name) => {
    const { client, sent } = dynamoThat(async () => ({}));
    await reads[name]?.(client);
    expect(sent).toHaveLength(1);
    expect(sent.filter((input) => !z.union([consistent, consistentBatch]).safeParse(input).success)).toEqual([]);
  });
});
