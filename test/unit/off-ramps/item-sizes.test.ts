import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { serviceEvent } from '#shared/events/service-event.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import { newDelivery } from '#shared/webhooks/model/delivery.ts';
import { createDeliveryClaims } from '#shared/webhooks/store/delivery-claims.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import { sizeOf } from '#test/simulation/aws/dynamodb/item-size.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

/** Bytes that one write unit pays for. */
const UNIT = 1024;

const TABLES = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
const UUID = '00000000-0000-4000-8000-000000000000';

const CREATED = 'ramp.operation.status_changed##0000000001';

const bytes = (item: Readonly<Record<string, unknown>> | undefined) =>
  sizeOf(marshall(item ?? {}, { removeUndefinedValues: true }));

const address = (digit: string) => `0x${digit.repeat(40)}`;
const facts = {
  network: 'AVALANCHE',
  txHash: `0x${'c'.repeat(64)}`,
  toAddress: address('a'),
  fromAddress: address('b'),
  assetId: 'AVALANCHE:USDC.e',
  amount: '123456789.123456789012345678',
} as const;
const custodianTransferId = `evm:avalanche:${facts.txHash}:${address('d')}:${facts.toAddress}:99`;

/** An operation on this chain, and its credited deposit. */
async function credited(differences: Partial<OffRamp> = {}) {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const operation = offRamp({
    ...{ network: facts.network, custodianAssetId: facts.assetId, amount: facts.amount },
    ...{ address: facts.toAddress, senderAddress: facts.fromAddress, ...differences },
  });
  await insertOperation(dynamo, TABLES, operation);
  const counted = { confirmations: 65_535, requiredConfirmations: 65_535, block: 4_294_967_295 };
  const seen = transfer({ ...facts, ...counted, custodianTransferId });
  // A chain sends no notifications.
  await createDepositRepository(dynamo, 'deposits', clock).rememberFound(CREATED_AT, seen, clock.now());
  const confirmed = await createCreditDeposit(dynamo, TABLES, clock, RULES)(operation.operationId, seen);
  if (confirmed.outcome !== 'CREDITED') throw new Error(`It is ${confirmed.outcome}.`);
  return { dynamo, table, clock, operation: confirmed.operation };
}

test('each write of a credited deposit is one unit, of the longest id that a chain gives, also while it is owed and missing', async () => {
  const { dynamo, table, clock, operation } = await credited();
  await createEndOperation(dynamo, TABLES, clock)(operation, { status: 'CANCELLED', eventId: UUID });
  const kept = table('deposits').find({ custodianTransferId });
  expect(kept).toMatchObject({ creditedAt: CREATED_AT, owedSince: CREATED_AT, transfer: { amount: facts.amount } });
  const missing = { missingSince: CREATED_AT, isMissingCalled: true } satisfies Partial<Deposit>;
  expect(bytes({ ...kept, ...missing })).toBeLessThan(UNIT);
});

test('each write of an operation is one unit, with its derived address, a reference, a payout and a decision', async () => {
  const { dynamo, table, clock, operation } = await credited({
    ...{ txHash: facts.txHash, attempt: 99, externalReference: UUID },
    derivation: { fingerprint: 'a1b2c3d4', path: '2147483647/2147483647' },
  });
  await createEndOperation(
    dynamo,
    TABLES,
    clock,
  )(operation, {
    ...{ status: 'COMPLETED', eventId: UUID },
    payout: { amount: '493827156493.82', currency: 'COP', reference: UUID, paidAt: CREATED_AT },
  });
  const kept = table('operations').items()[0];
  expect(kept).toMatchObject({ status: 'COMPLETED', payout: { reference: UUID } });
  expect(bytes({ ...kept, paidOut: true })).toBeLessThan(UNIT);
});

test('the event of a creation is one unit, of the longest ids that a chain gives; its publication is one of most', async () => {
  const published = async (differences: Partial<OffRamp>) => {
    const { dynamo, table, clock } = await credited({
      operationId: UUID,
      userId: UUID,
      clientId: UUID,
      ...differences,
    });
    const of = () => table('events').find({ subject: `operation#${UUID}`, change: CREATED });
    const before = bytes(of());
    await createEventRepository(dynamo, 'events').markPublished(serviceEvent.parse(of()).eventId, clock);
    return [before, bytes(of())] as const;
  };
  const derivation = { fingerprint: 'a1b2c3d4', path: '2147483647/2147483647' };
  const longest = await published({ externalReference: UUID, derivation });
  const usual = await published({ externalReference: 'order-17' });
  expect([longest[0], ...usual].filter((size) => size > UNIT)).toEqual([]);
});

test('each write of a delivery with one attempt is one unit, of the longest id of an event', async () => {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const event = eventOf('e'.repeat(128), { type: 'ramp.deposit_hash.status_changed' });
  const delivery = newDelivery(event, webhookOf(), 'SCHEDULED', clock.now());
  const claims = createDeliveryClaims(dynamo, 'deliveries', clock);
  await createDeliveryQueue(dynamo, 'deliveries', clock).create(delivery, CREATED_AT, clock.now());
  const claim = await claims.claim(delivery.deliveryId, 1, UUID, clock.now());
  if (claim.state !== 'CLAIMED') throw new Error(`The attempt is ${claim.state}.`);
  const made = { at: CREATED_AT, error: 'TIMEOUT', durationMs: 15_000 } as const;
  await claims.finish(claim.delivery, made, { status: 'PENDING', nextAttemptAt: CREATED_AT }, CREATED_AT);
  await claims.claim(delivery.deliveryId, 2, UUID, clock.now());
  const [item] = table('deliveries').items();
  expect(bytes(item)).toBeLessThan(UNIT);
});
