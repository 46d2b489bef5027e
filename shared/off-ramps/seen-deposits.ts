import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { type CustodianTransfer, type FoundTransfer, isReadable } from './custodians/custodian-transfer.ts';
import type { Deposit } from './deposit.ts';
import { dueShardOf } from './deposit-polls.ts';
import { createFindDeposit } from './find-deposit.ts';

/**
 * Remembers a transfer that the poll of a reported hash has seen, so that it is a deposit even when no notification comes
 * (decisions.md 9): unless a poll of it is planned, the sweep makes one. A deposit that is known as it is stays as it is,
 * and so does one that cannot be read now.
 */
export function createRememberSeen(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = createFindDeposit(dynamo, table);
  return async (transfer: FoundTransfer): Promise<void> => {
    const known = await find(transfer.custodianTransferId);
    if (known !== undefined && isKnownAs(transfer, known)) return;
    await updateItem(dynamo, clock, new UpdateCommand(remembering(table, transfer, clock.now())));
  };
}

export type RememberSeen = ReturnType<typeof createRememberSeen>;

function isKnownAs(transfer: FoundTransfer, { transfer: known }: Deposit): boolean {
  return !isReadable(transfer) || (known !== undefined && hasSameFacts(known, transfer));
}

/** Confirmations alone are no news: they grow until the deposit is polled next. */
function hasSameFacts(one: CustodianTransfer, other: CustodianTransfer): boolean {
  const facts = ['state', 'toAddress', 'toTag', 'fromAddress', 'assetId', 'amount'] as const;
  return facts.every((fact) => one[fact] === other[fact]);
}

/** What others plan or have found stays: a message of theirs may be on its way, and only a poll changes a status. */
function remembering(table: string, transfer: FoundTransfer, now: Date) {
  const { custodianTransferId, network, txHash } = transfer;
  const at = now.toISOString();
  const due = { nextPollAt: at, dueAt: at, dueShard: dueShardOf(custodianTransferId) };
  const { expression, names, values } = assignments(
    { network, txHash, lastNotifiedAt: at },
    { firstNotifiedAt: at, ...due, ...(isReadable(transfer) && { transfer }) },
  );
  return {
    TableName: table,
    Key: { custodianTransferId },
    UpdateExpression: expression,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
