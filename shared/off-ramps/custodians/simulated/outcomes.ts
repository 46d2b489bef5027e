import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';

/**
 * The outcome of orders to send a deposit back. TIMEOUT: the custodian accepts the order, but does not answer.
 * DECLINED: the custodian refuses the order.
 */
export const simulatedOutcome = z.enum(['COMPLETED', 'FAILED', 'TIMEOUT', 'DECLINED']);

export type SimulatedOutcome = z.infer<typeof simulatedOutcome>;

const kept = z.object({ transferId: z.string(), outcome: z.optional(simulatedOutcome) });

const keyOf = (depositId: string) => ({ custodianTransferId: `deposit:${depositId}` });

/** The length of a UUID: the id of an order begins with that of its deposit. */
const DEPOSIT_ID = 36;

/** Stores, for each deposit of the service, its simulated transfer and the outcome of orders to send it back. */
export function simulatedOutcomes(dynamo: DynamoDBDocumentClient, table: string) {
  const update = (depositId: string, attribute: 'transferId' | 'outcome', value: string) =>
    dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: keyOf(depositId),
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  const find = async (depositId: string) => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: keyOf(depositId), ConsistentRead: true }),
    );
    return Item && kept.parse(Item);
  };
  return {
    put: async (depositId: string, transferId: string) => void (await update(depositId, 'transferId', transferId)),
    /** The custodian's id of the deposit's transfer; `undefined` if it is not simulated. */
    transferOf: async (depositId: string) => (await find(depositId))?.transferId,
    decide: async (depositId: string, outcome: SimulatedOutcome) => void (await update(depositId, 'outcome', outcome)),
    of: async (externalId: string): Promise<SimulatedOutcome> =>
      (await find(externalId.slice(0, DEPOSIT_ID)))?.outcome ?? 'COMPLETED',
  };
}

export type SimulatedOutcomes = ReturnType<typeof simulatedOutcomes>;
