import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { repairByCommand } from '#functions/operators/look-up/repair-by-command.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { suspendClientContract } from '#shared/clients/client-commands.ts';
import { clientStatusChanged } from '#shared/clients/client-contract.ts';
import { addUserContract } from '#shared/clients/user-commands.ts';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { serviceEvent } from '#shared/events/service-event.ts';
import { statusEvent } from '#shared/events/write-with-events.ts';
import {
  confirmDepositContract,
  putBackContract,
  settleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import { requestReturnContract } from '#shared/off-ramps/contract/return-commands.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { listSinceContract, type sinceLine } from '#shared/operators/lookups.ts';
import { transact } from '#shared/platform/dynamodb/transaction.ts';
import { createAudit } from '#shared/platform/operators/audited.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, HASH, offRamp } from '#test/support/off-ramp.ts';
import { OPERATOR, SECOND_OPERATOR } from '#test/support/operators-world.ts';
import { opsWorld } from '#test/support/ops-world.ts';

type Line = z.infer<typeof sinceLine>;

/** Half an hour before the operators' clock. */
const SINCE = '2026-08-01T12:00:00Z';

function world() {
  const made = lookUpWorld();
  const events = createEventRepository(made.dynamo, 'events');
  /** All pages. */
  const since = async (query: Readonly<Record<string, string>> = {}) => {
    const lines: Line[] = [];
    let pages = 0;
    for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages += 1) {
      const { status, body } = await made.lookAt(listSinceContract, {
        since: SINCE,
        ...query,
        ...(cursor && { cursor }),
      });
      expect(status).toBe(200);
      lines.push(...body.items);
      cursor = body.nextCursor;
    }
    return { lines, pages };
  };
  return { ...made, events, since };
}

const shortly = ({ what, about, isThere, next }: Line) => ({ what, about, isThere, next });

describe('decisions 4, putting back: since a second', () => {
  test.each([true, false])(
    'shows an off-ramp that is lost until it is put back (published: %s)',
    async (isPublished) => {
      const { create, table, events, since, change, clock } = world();
      await create(offRamp());
      if (isPublished) await events.markPublished(idOf(table('events').items()), clock);
      const line = { what: 'off-ramp created', about: OPERATION, next: `put-back ${OPERATION}` };
      expect((await since()).lines.map(shortly)).toEqual([{ ...line, isThere: true }]);
      table('operations').restore([]);
      table('hashes').restore([]);
      expect((await since()).lines.map(shortly)).toEqual([{ ...line, isThere: false }]);
      expect((await change(putBackContract, { operationId: OPERATION })).status).toBe(200);
      expect((await since()).lines.map(shortly)).toEqual([
        { what: 'put-back', about: OPERATION, isThere: undefined, next: 'put-back again.' },
        { ...line, isThere: true },
      ]);
    },
  );

  test('shows an off-ramp that is there without its address as lost', async () => {
    const { create, table, since, change } = world();
    await create(offRamp());
    const isThere = async () => (await since()).lines.find(({ what }) => what === 'off-ramp created')?.isThere;
    const claims = table('hashes').items();
    for (const left of [[], claims.map((claim) => ({ ...claim, operationId: STRANGER }))]) {
      table('hashes').restore(left);
      expect(await isThere()).toBe(false);
    }
    table('hashes').restore([]);
    await change(putBackContract, { operationId: OPERATION });
    expect(await isThere()).toBe(true);
  });

  test('shows how an off-ramp ended, and whether it still has', async () => {
    const { create, change, dynamo, table, since, clock } = world();
    await create(offRamp());
    const before = table('operations').items();
    const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
    await createEndOperation(dynamo, tables, clock)(offRamp(), { status: 'CANCELLED' });
    const ended = async () => (await since()).lines.find(({ what }) => what === 'off-ramp CANCELLED');
    expect(await ended()).toMatchObject({ about: OPERATION, isThere: true });
    table('operations').restore(before);
    expect(await ended()).toMatchObject({
      about: OPERATION,
      isThere: false,
      next: expect.stringMatching(/cancelled it/),
    });
    table('operations').restore([]);
    table('hashes').restore([]);
    expect(await ended()).toMatchObject({ isThere: false, next: `put-back ${OPERATION}` });
    await change(putBackContract, { operationId: OPERATION });
    expect(await ended()).toMatchObject({ isThere: true });
  });

  test('shows what operators changed, with its arguments and without personal data; not what was refused', async () => {
    const { change, since, clock } = world();
    await change(suspendClientContract, { clientId: CLIENT });
    await change(suspendClientContract, { clientId: STRANGER });
    const { userId } = (await change(addUserContract, { clientId: CLIENT, payer: { fullName: 'Example Payer' } })).body;
    const { lines } = await since();
    expect(lines).toMatchObject([
      {
        at: clock.now().toISOString(),
        what: 'suspend-client',
        about: CLIENT,
        who: OPERATOR,
        arguments: { clientId: CLIENT },
      },
      { what: 'add-user', about: userId, arguments: { payer: ['fullName'] } },
    ]);
  });

  test('shows what compliance said, of any client that is asked for, also one that is lost', async () => {
    const { dynamo, events, table, since, clock } = world();
    for (const clientId of [CLIENT, STRANGER]) {
      const data = { clientId, status: 'suspended', previousStatus: 'approved', sequence: 1 };
      const source = { table: 'events', now: clock.now() };
      const type = clientStatusChanged.shape.type.def.values[0] ?? '';
      await transact(dynamo, { event: statusEvent(source, { clientId, type }, data) });
    }
    expect((await since({ client: STRANGER })).lines.map(shortly)).toMatchObject([
      { what: 'client suspended', about: STRANGER },
    ]);
    for (const item of table('events').items()) await events.markPublished(idOf([item]), clock);
    expect((await since()).lines.map(({ about }) => about)).toEqual([CLIENT]);
    expect((await since({ client: STRANGER })).lines.map(({ about }) => about)).toEqual([STRANGER]);
  });

  test('shows a change that failed, because it may have been written, and none that was refused', async () => {
    const { dynamo, since, clock } = world();
    const audit = createAudit(dynamo, 'audit');
    const at = clock.now().toISOString();
    const change = {
      at,
      who: OPERATOR,
      command: 'settle-deposit',
      about: 'transfer-1',
      reason: 'Case 17',
      requestId: 'r',
    };
    for (const [auditId, result] of [
      ['1'],
      ['2', 'INTERNAL_ERROR'],
      ['3', 'SERVICE_UNAVAILABLE'],
      ['4', 'NOT_FOUND'],
    ]) {
      await audit.recordRequest({ ...change, auditId: auditId ?? '', arguments: { auditId } });
      if (result !== undefined) await audit.recordResult({ auditId: auditId ?? '', at, result });
    }
    const { lines } = await since();
    const next = 'It is not known whether it was done: check. If it was: The same command again, with these arguments.';
    expect(lines.map((line) => [line.arguments?.['auditId'], line.next])).toEqual([
      ['1', next],
      ['2', next],
      ['3', next],
    ]);
  });

  test('has every line once, over pages, midnights, and more unpublished events of one millisecond than a page has', async () => {
    const { create, change, events, table, since, clock } = world();
    const ids = Array.from({ length: 230 }, (_, at) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`);
    for (const [at, operationId] of ids.entries()) {
      const createdAt = `2026-08-01T12:30:00.${at < 225 ? '000' : '001'}Z`;
      await create(offRamp({ operationId, address: `0x${String(at).padStart(40, '0')}`, createdAt }));
    }
    const items = table('events').items();
    for (const item of items.slice(0, 110)) await events.markPublished(idOf([item]), clock);
    for (let day = 0; day < 3; day += 1) {
      for (let times = 0; times < 40; times += 1) await change(suspendClientContract, { clientId: CLIENT });
      clock.advance(24 * 3600);
    }
    const { lines, pages } = await since();
    const created = lines.filter(({ what }) => what === 'off-ramp created').map(({ about }) => about);
    expect(created.toSorted()).toEqual(ids);
    expect(lines.filter(({ what }) => what === 'suspend-client')).toHaveLength(120);
    expect(pages).toBeGreaterThan(5);
  });

  test('says of what two persons did to do it again by both, and of a proposal alone nothing', async () => {
    const { create, putDeposit, change, since } = world();
    await create(offRamp());
    putDeposit({ amount: '99' }, { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, reasons: ['WRONG_AMOUNT'] });
    const settling = { custodianTransferId: 'transfer-1', outcome: 'kept' };
    const { proposalId } = (await change(settleDepositContract, settling)).body.proposal;
    await change(confirmDepositContract, { proposalId }, 'Case 17', SECOND_OPERATOR);
    const next = (await since()).lines.flatMap((line) => (line.who === undefined ? [] : line.next));
    expect(next).toEqual([
      expect.stringMatching(/^Nothing: it was only proposed/),
      expect.stringContaining('what was proposed again, and its confirmation'),
    ]);
  });

  test('shows a requested return by its event, because no audit has the request of a client; not one that was undone', async () => {
    const { create, putDeposit, change, table, since } = world();
    await create(offRamp());
    const owner = { clientId: CLIENT, userId: USER, sequence: 1 };
    const unmatched = { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT } as const;
    putDeposit({ amount: '99' }, { ...owner, ...unmatched, reasons: ['WRONG_AMOUNT'] });
    expect((await change(requestReturnContract, { custodianTransferId: 'transfer-1' })).status).toBe(200);
    const requests = async () => (await since()).lines.filter(({ what }) => what === 'return requested').map(shortly);
    const next = expect.stringContaining('request-return');
    expect(await requests()).toEqual([{ what: 'return requested', about: HASH, isThere: undefined, next }]);
    const undone = ({ body, ...item }: Readonly<Record<string, unknown>>) => ({
      ...item,
      body: String(body).replace('"UNMATCHED"', '"RETURNED"'),
    });
    table('events').restore(table('events').items().map(undone));
    expect(await requests()).toEqual([]);
  });

  test('leaves out what was before it, but for the minute in which it may have been under way', async () => {
    const { create, change, since } = world();
    await create(offRamp({ createdAt: '2026-08-01T11:58:59.000Z' }));
    await change(suspendClientContract, { clientId: CLIENT });
    expect((await since({ since: '2026-08-01T12:00:00Z' })).lines).toHaveLength(1);
    expect((await since({ since: '2026-08-01T11:59:59Z' })).lines).toHaveLength(2);
    expect((await since({ since: '2026-08-01T12:31:30Z' })).lines).toEqual([]);
  });

  test.each([
    'A#x',
    'A#2026-08-32T00:00:00.000Z',
    'A#1026-08-01T00:00:00.000Z',
    'U#x',
    'U#2026-07-31T12:30:00.000Z',
    `E#${CLIENT}`,
    `E#${CLIENT}#`,
  ])('refuses the cursor of no page: %s', async (cursor) => {
    const answer = await world().lookAt(listSinceContract, { since: SINCE, cursor });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.cursor', code: 'INVALID_CURSOR' }] } });
  });

  test('refuses a second to which no table is restored', async () => {
    const { lookAt } = world();
    expect(await lookAt(listSinceContract, { since: '2026-06-01T00:00:00Z' })).toMatchObject({ status: 422 });
  });
});

test('ops since prints every line of every page, as a table, as CSV or as JSON', async () => {
  const { ops, change, table } = opsWorld();
  table('clients').put({ clientId: CLIENT, complianceStatus: 'approved', status: 'approved', secretDigests: [] });
  for (let times = 0; times < 60; times += 1) {
    await change(addUserContract, { clientId: CLIENT, payer: {} });
  }
  const typed = ['since', '2026-08-01T11:59:00Z'];
  const [shown, csv, json] = [await ops(typed), await ops([...typed, '--csv']), await ops([...typed, '--json'])];
  const items: readonly Line[] = JSON.parse(json.printed).items;
  expect([shown.status, items.length, shown.said]).toEqual([0, 60, '60 lines\n']);
  expect(csv.printed.trim().split('\r\n')).toHaveLength(61);
  expect(csv.printed).toContain(`""clientId"":""${CLIENT}""`);
  expect(items.filter(({ about = '' }) => !shown.printed.includes(about))).toEqual([]);
});

test('every command of operators says what puts it right', () => {
  const commands = operatorRoutes.filter(({ contract: { method } }) => method === 'POST');
  expect(Object.keys(repairByCommand).toSorted()).toEqual(commands.map(({ contract: { name } }) => name).toSorted());
});

function idOf([item]: readonly Readonly<Record<string, unknown>>[]): string {
  return serviceEvent.parse(item).eventId;
}
