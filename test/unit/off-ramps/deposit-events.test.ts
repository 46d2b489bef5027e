import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listDeposits } from '#functions/off-ramps/list-deposits/list-deposits.ts';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import { depositStatusChanged } from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements } from '#shared/off-ramps/store/claims.ts';
import { createCountDepositsOf, createListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import {
  CREATED_AT,
  DEPOSIT_ADDRESS,
  HASH,
  offRamp,
  RETURN_TERMS,
  RULES,
  SENDER_ADDRESS,
  transfer,
} from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

const anyType = z.object({ type: z.string() });

/** An operation, and a custodian that notifies of one transfer after another. */
async function world(operation: OffRamp = offRamp()) {
  captureLogs();
  const clock = fakeClock(CREATED_AT);
  const { dynamo, create, operations, creditDeposit, findClaimant, claim, change, kept, told } =
    offRampsInMemory(clock);
  await create(operation);
  const deposits = createDepositRepository(dynamo, TABLES.deposits, clock);
  let now: readonly CustodianTransfer[] = [];
  const match = matchDeposit({
    deposits,
    operations,
    creditDeposit,
    movements: createMovements(dynamo, TABLES.hashes),
    polls: createDepositPolls(dynamo, TABLES.deposits, clock),
    sendPoll: async () => {},
    findTransfers: async () => now,
    findTransfer: async () => undefined,
    findAddressOwners: createFindAddressOwners(dynamo, TABLES.hashes),
    countDepositsOf: createCountDepositsOf(dynamo, TABLES.deposits),
    minimumDeposits: { 'ETHEREUM:USDC': '1' },
    decimals: { 'ETHEREUM:USDC': 6 },
    fundedBy: (txHash) => findClaimant('FUNDED', txHash),
    eventsTable: TABLES.events,
    networkRules: RULES,
    clock,
  });
  const listDepositsOf = createListDepositsOf(dynamo, TABLES.deposits, clock);
  const list = listDeposits({ operations, listDepositsOf, terms: RETURN_TERMS });
  return {
    clock,
    claim,
    change,
    kept,
    creditDeposit,
    /** The custodian notifies of a transfer in its current state. */
    async notify(transferNow: CustodianTransfer): Promise<void> {
      now = [transferNow];
      clock.advance(1);
      await match(await deposits.remember(transferNow, clock.now()));
    },
    list: async (as = CLIENT) => (await list(routeCall(listDepositsContract, {}, {}, { clientId: as }))).body.deposits,
    async page(cursor?: string) {
      return (await list(routeCall(listDepositsContract, {}, {}, { query: cursor === undefined ? {} : { cursor } })))
        .body;
    },
    /** The statuses of deposits in the events to the client, in order. */
    heard: () =>
      told()
        .filter((event) => anyType.parse(event).type === 'ramp.deposit.status_changed')
        .map((event) => depositStatusChanged.parse(event).data),
  };
}

const steps = (heard: readonly { status: string; previousStatus: string | null; sequence: number }[]) =>
  heard.map(({ status, previousStatus, sequence }) => [sequence, previousStatus, status]);

describe('decisions 9, deposit events: the client is told', () => {
  test('of each status of a deposit once, and reads the same status', async () => {
    const { notify, heard, list } = await world();
    await notify(transfer({ state: 'UNCONFIRMED', confirmations: 1 }));
    await notify(transfer({ state: 'UNCONFIRMED', confirmations: 2 }));
    await notify(transfer({ state: 'HELD' }));
    await notify(transfer());
    await notify(transfer());
    await notify(transfer({ state: 'FAILED' }));
    await notify(transfer());
    expect(steps(heard())).toEqual([
      [1, null, 'DETECTED'],
      [2, 'DETECTED', 'HELD'],
      [3, 'HELD', 'CREDITED'],
      [4, 'CREDITED', 'REVERSED'],
      [5, 'REVERSED', 'CREDITED'],
    ]);
    expect(heard()[0]).toMatchObject({
      depositId: depositIdOf('transfer-1'),
      operationId: OPERATION,
      userId: USER,
      txHash: HASH,
    });
    expect(await list()).toMatchObject([{ status: 'CREDITED', sequence: 5 }]);
  });

  test.each([
    ['credited', transfer(), 'CREDITED'],
    ['unmatched', transfer({ amount: '7' }), 'UNMATCHED'],
    ['failed', transfer({ state: 'FAILED' }), 'FAILED'],
    ['held', transfer({ state: 'HELD' }), 'HELD'],
  ])('of one that is %s at first sight, without one before', async (_, first, status) => {
    const { notify, heard } = await world();
    await notify(first);
    expect(steps(heard())).toEqual([[1, null, status]]);
  });

  test('of a deposit that a check has credited before any notification', async () => {
    const { creditDeposit, heard, list } = await world();
    await creditDeposit(OPERATION, transfer());
    expect(steps(heard())).toEqual([[1, null, 'CREDITED']]);
    expect(await list()).toMatchObject([{ status: 'CREDITED', detectedAt: CREATED_AT, updatedAt: CREATED_AT }]);
  });

  test('why a deposit was unmatched at that time: later changes of the operation change nothing', async () => {
    const { notify, change, heard, list } = await world();
    await notify(transfer({ amount: '7' }));
    await change({ status: 'CANCELLED' });
    await notify(transfer({ amount: '7' }));
    expect(heard()).toMatchObject([{ status: 'UNMATCHED', reasons: ['WRONG_AMOUNT'] }]);
    expect(await list()).toMatchObject([{ status: 'UNMATCHED', reasons: ['WRONG_AMOUNT'] }]);
  });

  test.each<[string, Partial<OffRamp>, readonly string[]]>([
    ['nothing when the custodian corrects what is unmatched: finance may be at work on it', {}, ['UNMATCHED']],
    ['that it is credited where its hash was reported', { txHash: HASH }, ['UNMATCHED', 'CREDITED']],
  ])('%s', async (_, reported, statuses) => {
    const { notify, change, kept, heard, list } = await world();
    await notify(transfer({ amount: '7' }));
    await change(reported);
    await notify(transfer());
    await notify(transfer());
    expect(heard().map(({ status }) => status)).toEqual(statuses);
    expect((await kept()).operation.status).toBe(statuses.length === 1 ? 'AWAITING_DEPOSIT' : 'PENDING');
    const [{ reasons, amount } = {}] = await list();
    expect({ reasons, amount }).toEqual({
      reasons: statuses.length === 1 ? ['WRONG_AMOUNT'] : undefined,
      amount: '100.5',
    });
  });

  test('nothing of what is unmatched and unconfirmed again, and of what was held in between that it is unmatched as before', async () => {
    const { notify, heard, list } = await world();
    await notify(transfer({ amount: '7' }));
    await notify(transfer({ state: 'UNCONFIRMED', confirmations: 2 }));
    await notify(transfer({ confirmations: 2 }));
    await notify(transfer());
    expect(steps(heard())).toEqual([[1, null, 'UNMATCHED']]);
    expect(await list()).toMatchObject([{ status: 'UNMATCHED', reasons: ['WRONG_AMOUNT'], confirmations: 12 }]);
    await notify(transfer({ state: 'HELD' }));
    await notify(transfer());
    expect(steps(heard()).slice(1)).toEqual([
      [2, 'UNMATCHED', 'HELD'],
      [3, 'HELD', 'UNMATCHED'],
    ]);
    expect(heard()[2]).toMatchObject({ reasons: ['WRONG_AMOUNT'] });
  });

  test('of what failed after it was unmatched that it is unmatched again once it is seen, whatever it is by then', async () => {
    const { notify, heard } = await world();
    await notify(transfer({ amount: '7' }));
    await notify(transfer({ amount: '7', state: 'FAILED' }));
    await notify(transfer({ state: 'UNCONFIRMED', confirmations: 2 }));
    await notify(transfer());
    expect(steps(heard()).slice(1)).toEqual([
      [2, 'UNMATCHED', 'FAILED'],
      [3, 'FAILED', 'UNMATCHED'],
    ]);
  });

  test('nothing of a reason that no longer holds', async () => {
    const { notify, heard, list } = await world();
    await notify(transfer({ amount: '7' }));
    await notify(transfer({ amount: '7', state: 'FAILED' }));
    expect(heard()[1]).not.toHaveProperty('reasons');
    expect((await list())[0]).not.toHaveProperty('reasons');
    expect(steps(heard())).toEqual([
      [1, null, 'UNMATCHED'],
      [2, 'UNMATCHED', 'FAILED'],
    ]);
  });

  test('of the second of two transfers of one transaction that it is one too many', async () => {
    const { notify, heard } = await world();
    await notify(transfer());
    await notify(transfer({ custodianTransferId: 'transfer-2' }));
    expect(heard()[1]).toMatchObject({ status: 'UNMATCHED', reasons: ['ALREADY_FUNDED'], sequence: 1 });
  });

  test('nothing of another client’s operation that the transaction funds', async () => {
    const { notify, claim, heard } = await world();
    claim('FUNDED', HASH, STRANGER);
    await notify(transfer());
    expect(heard()).toMatchObject([{ status: 'UNMATCHED', reasons: [] }]);
  });

  test('nothing of a transfer to an address that is nobody’s, until the custodian corrects it', async () => {
    const { notify, heard, list } = await world();
    await notify(transfer({ toAddress: `0x${'99'.repeat(20)}` }));
    expect([heard(), await list()]).toEqual([[], []]);
    await notify(transfer());
    expect(steps(heard())).toEqual([[1, null, 'CREDITED']]);
  });

  test('first of a transfer once its address is known', async () => {
    const { notify, heard } = await world();
    await notify(transfer({ state: 'UNCONFIRMED', toAddress: '', fromAddress: '' }));
    expect(heard()).toEqual([]);
    await notify(transfer({ state: 'UNCONFIRMED' }));
    expect(steps(heard())).toEqual([[1, null, 'DETECTED']]);
  });
});

describe('decisions 9, reading: the deposits of an operation', () => {
  test.each<[string, boolean, Partial<CustodianTransfer>, Partial<OffRamp>]>([
    ['an unmatched one that is more than its fee', true, { amount: '7' }, {}],
    ['an unmatched one that is its fee and no more', false, { amount: '1.50' }, {}],
    ['an unmatched one of a token without a fee', true, { assetId: 'ETHEREUM:USDT' }, {}],
    ['one of an asset that the stage does not know', false, { assetId: 'ETHEREUM:USDC.e' }, {}],
    ['one that funds it', false, {}, {}],
    ['one that is not final', false, { amount: '7', state: 'UNCONFIRMED' }, {}],
    ['one that is held', false, { amount: '7', state: 'HELD' }, {}],
    ['one that failed', false, { amount: '7', state: 'FAILED' }, {}],
    ['what comes after the operation has ended', true, {}, { status: 'CANCELLED' }],
  ])('say whether they can be sent back: %s', async (_, returnable, sent, operation) => {
    const { notify, change, list } = await world();
    await change(operation);
    await notify(transfer(sent));
    expect(await list()).toMatchObject([{ returnable }]);
  });

  test('show what was sent, and what is still missing', async () => {
    const { notify, list, clock } = await world();
    await notify(transfer({ state: 'UNCONFIRMED', confirmations: 3, assetId: 'ETHEREUM:USDC.e' }));
    const at = clock.now().toISOString();
    await notify(transfer({ state: 'UNCONFIRMED', confirmations: 4, assetId: 'ETHEREUM:USDC.e' }));
    const deposits = await list();
    expect(listDepositsContract.success.body.parse({ deposits })).toEqual({ deposits });
    expect(deposits).toEqual([
      {
        id: depositIdOf('transfer-1'),
        status: 'DETECTED',
        returnable: false,
        network: 'ETHEREUM',
        txHash: HASH,
        token: 'ETHEREUM:USDC.e',
        amount: '100.5',
        fromAddress: SENDER_ADDRESS,
        toAddress: DEPOSIT_ADDRESS,
        confirmations: 4,
        requiredConfirmations: 12,
        detectedAt: at,
        updatedAt: at,
        sequence: 1,
      },
    ]);
  });

  test('are listed oldest first, with the symbol of the token and the tag where there is one', async () => {
    const { notify, list } = await world();
    await notify(transfer({ custodianTransferId: 'b', toTag: '7' }));
    await notify(transfer({ custodianTransferId: 'a' }));
    expect(await list()).toMatchObject([
      { id: depositIdOf('b'), token: 'USDC', addressTag: '7' },
      { id: depositIdOf('a'), token: 'USDC' },
    ]);
  });

  test('come 100 a page, with at most 100 that are not awaited: whatever strangers send, the right one is credited and listed', async () => {
    const { notify, page, heard } = await world();
    for (let number = 0; number < 105; number += 1) {
      await notify(transfer({ custodianTransferId: `transfer-${number}`, amount: '7' }));
    }
    await notify(transfer({ custodianTransferId: 'right' }));
    const { deposits, nextCursor } = await page();
    expect(deposits.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'UNMATCHED'));
    expect(nextCursor).toBe(deposits.at(-1)?.id);
    const last = await page(nextCursor);
    expect(last).toMatchObject({ deposits: [{ id: depositIdOf('right'), status: 'CREDITED' }] });
    expect(last).not.toHaveProperty('nextCursor');
    expect(heard()).toHaveLength(101);
  });

  test('leave out dust, of which nobody is told', async () => {
    const { notify, list, heard } = await world();
    for (let number = 0; number < 150; number += 1) {
      await notify(transfer({ custodianTransferId: `transfer-${number}`, amount: '0.01' }));
    }
    await notify(transfer({ custodianTransferId: 'right' }));
    expect(await list()).toMatchObject([{ id: depositIdOf('right'), status: 'CREDITED' }]);
    expect(heard()).toHaveLength(1);
  });

  test.each(['', 'x', depositIdOf('another')])('have no page after %j', async (cursor) => {
    const { notify, page } = await world();
    await notify(transfer({ amount: '7' }));
    const { status, code } = await expectApiError(() => page(cursor));
    expect([status, code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('are nobody else’s to read', async () => {
    const { list } = await world();
    const { status, code } = await expectApiError(() => list(STRANGER));
    expect([status, code]).toEqual([404, 'OFF_RAMP_NOT_FOUND']);
  });

  test('stay with the operation that had the address when they were first seen', async () => {
    const operation = offRamp();
    const { notify, list, change, heard } = await world(operation);
    await notify(transfer({ state: 'UNCONFIRMED' }));
    await change({ status: 'CANCELLED' });
    await notify(transfer());
    expect(heard()[1]).toMatchObject({ status: 'UNMATCHED', reasons: ['OPERATION_ENDED'], operationId: OPERATION });
    expect(await list()).toHaveLength(1);
  });
});
