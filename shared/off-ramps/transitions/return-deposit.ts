import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, depositStatusOf, storedTransfer, transferOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { type ReturnChange, returnEnded, returnMade, sendingBegun } from '#shared/off-ramps/model/return-changes.ts';
import { hasApprovals } from '#shared/off-ramps/model/returns.ts';
import { claimMovement, claimReturn } from '#shared/off-ramps/store/claims.ts';
import { pollTimes, statusUnchanged } from '#shared/off-ramps/store/deposit-polls.ts';
import { depositStatusChange, writeWithEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { checkOperationUnchanged } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { type TransactionLeg, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import type { DepositTables } from './write-credit.ts';

/** Another deposit has the movement: the one that brought this deposit in, or the one that sends it back. */
export class MovementTaken extends Error {
  override readonly name = 'MovementTaken';
}

/** Further conditions and legs of the transaction. */
interface Also {
  /** The off-ramp whose state allowed this write: it must be unchanged. */
  readonly operation?: OffRamp | undefined;
  /** The leg that marks the confirmed proposal as done. */
  readonly proposal?: TransactionLeg | undefined;
}

/** A deposit whose return was requested, as it was read. */
export type Returning = Deposit & { readonly return: NonNullable<Deposit['return']> };

export function isReturning(deposit: Deposit | undefined): deposit is Returning {
  return deposit?.return !== undefined;
}

/**
 * Every write of a return (decisions.md 9). Each requires that the deposit still has the status, facts and return that
 * were read, and writes the event of a changed status in the same transaction.
 *
 * Each throws WriteConflict when something changed after the read. Those that claim a movement throw MovementTaken.
 */
export function createReturns(dynamo: DynamoDBDocumentClient, tables: DepositTables, clock: Clock) {
  const write = async (
    seen: Deposit,
    change: ReturnChange,
    { operation, ...also }: Also & { readonly claim?: TransactionLeg | undefined; readonly poll?: boolean } = {},
  ): Promise<Deposit> => {
    const source = { table: tables.events, now: clock.now() };
    const { poll = false, claim, proposal } = also;
    const after: Deposit = { ...seen, ...change };
    const { set, event } = statusChange(source, seen, after);
    const polled = poll ? pollTimes(seen.custodianTransferId, source.now.toISOString()) : {};
    const lost = await writeWithEvents<string>(dynamo, {
      deposit: changeLeg(tables.deposits, seen, { ...change, ...set, ...polled }),
      ...(event && { event }),
      ...(operation && { operation: checkOperationUnchanged(tables.operations, operation) }),
      ...(claim && { claim }),
      ...(proposal && { proposal }),
    });
    if (lost.size === 0) return { ...after, ...set };
    if (lost.has('claim') && lost.size === 1) throw new MovementTaken(seen.custodianTransferId);
    throw new WriteConflict([...lost].join());
  };

  return {
    /** Writes a request, an approval, or a step of the sending. With `poll`, the deposit is polled now. */
    change: (seen: Deposit, change: ReturnChange, also?: Also & { readonly poll?: boolean }) =>
      write(seen, change, also),

    /**
     * Ends the return: the deposit goes back to the list that it came from. `operation` is that of a credited deposit,
     * as read: it decides whether the deposit is owed.
     */
    async end(
      seen: Returning,
      { found, isOwed, ...also }: Also & { readonly found?: CustodianTransfer | undefined; readonly isOwed: boolean },
    ): Promise<Deposit> {
      const facts = found === undefined ? {} : { transfer: storedTransfer(found) };
      const change = returnEnded({ ...seen, ...facts }, isOwed, clock.now());
      // During the return, polls only wrote facts. Poll now to learn whether the deposit is still there.
      return write(seen, { ...facts, ...change }, { ...also, poll: true });
    },

    /** Marks the deposit as being sent. From here on, only the result of the sending ends the return. */
    async beginSending(seen: Returning, also: Also & Parameters<typeof sendingBegun>[3]): Promise<Returning> {
      const transfer = transferOf(seen);
      if (transfer === undefined || !hasApprovals(seen.return))
        throw new Error(`${seen.custodianTransferId} is not to be sent back.`);
      const change = sendingBegun(seen, seen.return, clock.now(), also);
      const claim = claimMovement(tables.hashes, transfer);
      return asReturning(await write(seen, change, { ...also, claim }));
    },

    /** Records the return with the movement that made it. One movement out of our accounts returns one deposit. */
    async finish(
      seen: Returning,
      movement: Parameters<typeof returnMade>[1] & { readonly movementId: string },
      nextAt: string | undefined,
    ): Promise<Returning> {
      const claim = claimReturn(tables.hashes, movement, seen.custodianTransferId);
      return asReturning(await write(seen, returnMade(seen.return, movement, clock.now(), nextAt), { claim }));
    },
  };
}

export type Returns = ReturnType<typeof createReturns>;

function asReturning(deposit: Deposit): Returning {
  if (isReturning(deposit)) return deposit;
  throw new Error(`${deposit.custodianTransferId} is not being returned.`);
}

/** Raises the sequence with every status, even without an event: each write is conditional on it. */
function statusChange(...[source, seen, after]: Parameters<typeof depositStatusChange> & { readonly 1: Deposit }) {
  const told = depositStatusChange(source, seen, after);
  if (told.event !== undefined || depositStatusOf(seen) === depositStatusOf(after)) return told;
  return { set: { sequence: (seen.sequence ?? 0) + 1, updatedAt: source.now.toISOString() }, event: undefined };
}

function changeLeg(table: string, seen: Deposit, change: Readonly<Record<string, unknown>>): TransactionLeg {
  const { expression, names, values } = assignments(change);
  const asRead = statusUnchanged(seen.sequence);
  const conditions = [
    asRead.condition,
    'attribute_not_exists(settled)',
    '#transfer = :transferSeen',
    seen.unmatched === undefined ? 'attribute_not_exists(#unmatched)' : '#unmatched = :unmatchedSeen',
    seen.return === undefined ? 'attribute_not_exists(#return)' : '#return = :returnSeen',
  ];
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId: seen.custodianTransferId },
      UpdateExpression: expression,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: {
        ...names,
        ...{ '#sequence': 'sequence', '#transfer': 'transfer', '#unmatched': 'unmatched', '#return': 'return' },
      },
      ExpressionAttributeValues: {
        ...values,
        ...asRead.values,
        ':transferSeen': seen.transfer,
        ...(seen.unmatched !== undefined && { ':unmatchedSeen': seen.unmatched }),
        ...(seen.return !== undefined && { ':returnSeen': seen.return }),
      },
    },
  };
}
