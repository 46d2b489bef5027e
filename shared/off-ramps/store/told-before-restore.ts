import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { partsOfChange, storedEvent, subjectOf } from '#shared/events/service-event.ts';
import { OPERATION_STATUS_CHANGED } from '#shared/off-ramps/contract/off-ramp-events.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';

const told = z.object({ data: z.object({ status: z.string() }) });

/** The end of an off-ramp without a payout, and money that may have been sent back. */
const ENDED: readonly string[] = ['CANCELLED', 'FAILED', 'RETURN_REQUESTED', 'RETURNED'];

/**
 * Whether an event, which no restore undoes, says otherwise than that the deposit funds the off-ramp: that the off-ramp had
 * ended, that another deposit had funded it, to an address that its user keeps, or that this one was to be sent back. The
 * money may be with its sender again, or have been paid out for another off-ramp, so a person decides about it. Later
 * events say nothing else: after a restore a deposit is detected once more.
 */
export function createWasToldOtherwise(dynamo: DynamoDBDocumentClient, table: string) {
  return async (operationId: string, custodianTransferId: string): Promise<boolean> => {
    const pages = paginateQuery(
      { client: dynamo },
      {
        TableName: table,
        KeyConditionExpression: 'subject = :subject',
        ExpressionAttributeValues: { ':subject': subjectOf('operation', operationId) },
        ConsistentRead: true,
      },
    );
    const items: Item[] = [];
    for await (const { Items = [] } of pages) items.push(...Items);
    return items
      .map((item) => storedEvent.parse(item))
      .some(({ change, type, body }) => {
        const { status } = told.parse(JSON.parse(body)).data;
        const isOfDeposit = partsOfChange(change)?.depositId === depositIdOf(custodianTransferId);
        return isOfDeposit || type === OPERATION_STATUS_CHANGED ? ENDED.includes(status) : status === 'CREDITED';
      });
  };
}
