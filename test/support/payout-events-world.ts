import { applyStatusChange } from '#functions/off-ramps/apply-status-change/apply-status-change.ts';
import { changeOperation } from '#functions/off-ramps/apply-status-change/change-operation.ts';
import { listContradictionsContract, listOwedContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { createFindReturningDeposits } from '#shared/off-ramps/store/deposit-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { OPERATION } from './ids.ts';
import { lookUpWorld } from './look-up-world.ts';
import { offRamp, RULES, transfer } from './off-ramp.ts';

interface Told {
  readonly source?: string;
  readonly type?: string;
  /** The id of the envelope. */
  readonly id?: string;
  /** Milliseconds since the message arrived for the first time. */
  readonly ago?: number;
  readonly isRepeat?: boolean;
}

/** The time of the events in this world. */
export const EVENTS_AT = '2026-08-01T12:02:00.000Z';

/** An off-ramp about which other services send events, and which operators look up. */
export async function payoutEventsWorld({ isCredited = true } = {}) {
  const world = lookUpWorld(EVENTS_AT);
  const { dynamo, clock } = world;
  const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
  const operations = createOffRampRepository(dynamo, tables.operations);
  const credit = () => createCreditDeposit(dynamo, tables, clock, RULES)(OPERATION, transfer());
  const apply = applyStatusChange(
    changeOperation({
      operations,
      endOperation: createEndOperation(dynamo, tables, clock),
      contradictions: createContradictionRepository(dynamo, tables, clock),
      findReturningDeposits: createFindReturningDeposits(dynamo, tables.deposits, clock),
      clock,
    }),
  );
  let events = 0;
  const tell = (
    detail: Readonly<Record<string, unknown>>,
    { source = 'payments.payouts', type = 'operation.status', id = 'envelope-1', ago = 0, isRepeat = false }: Told = {},
  ) => {
    events += 1;
    const own = { operationId: OPERATION, eventId: `event-${events}`, ...detail };
    const sentAt = new Date(clock.now().getTime() - ago);
    return apply(JSON.stringify({ id, source, 'detail-type': type, detail: own }), { sentAt, isRepeat });
  };
  await world.create(offRamp());
  if (isCredited) await credit();
  const listed = async (list: typeof listOwedContract | typeof listContradictionsContract) =>
    (await world.lookAt(list, {})).body.items;
  return {
    ...world,
    credit,
    tell,
    /** Sends the event of a payout with this reference. */
    pay: (reference?: string, told: Readonly<Record<string, unknown>> = {}) =>
      tell({ status: 'COMPLETED', ...(reference !== undefined && { payout: { reference } }), ...told }),
    giveBack: (reference?: string, told: Readonly<Record<string, unknown>> = {}, { ago = 0 }: Told = {}) =>
      tell(
        { ...(reference !== undefined && { payout: { reference } }), reason: 'R03', ...told },
        { type: 'operation.payout_returned', ago },
      ),
    cancel: () => tell({ status: 'CANCELLED', reason: 'REVIEW' }, { source: 'payments.compliance' }),
    kept: async () => {
      const operation = await operations.find(OPERATION);
      if (operation === undefined) throw new Error('The operation is gone.');
      return operation;
    },
    owed: () => listed(listOwedContract),
    contradicted: () => listed(listContradictionsContract),
  };
}
