import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payin } from '#shared/pay-ins/pay-in.ts';
import {
  type FindPayment,
  type OrderPayment,
  type Payment,
  RailRejected,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { railSpecs } from '#shared/pay-ins/rails/rail-specs.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { describe } from '#shared/platform/logger.ts';

/** Phone numbers on which the simulated rail fails, so that a client can try it. */
const REJECTED_PHONE = '3990000502';
const UNANSWERED_PHONE = '3990000503';

/** Like a real rail, the simulated one creates the link a moment after the payment. */
const LINK_DELAY = 300;

/** The simulated rail's item of a pay-in and its payment. */
const simulatedPayment = z.object({
  paymentId: z.string(),
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'EXPIRED']),
  rail: payin.shape.paymentMethod,
  amount: z.string(),
  currency: z.string(),
  /** Milliseconds since 1970. */
  linkFrom: z.number(),
});

type SimulatedPayment = z.infer<typeof simulatedPayment>;

/** The simulated rail keeps its payments in a table of its own, which the rest of the service never reads. */
export function createSimulatedPayments(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find: FindPayment = (reference) =>
    orUnavailable(async () => {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: { paymentId: reference }, ConsistentRead: true }),
      );
      return Item && asPayment(simulatedPayment.parse(Item), clock.now());
    });

  const order: OrderPayment = ({ payin }) =>
    orUnavailable(async () => {
      const { payinId, paymentMethod, phone } = payin;
      if (phone === REJECTED_PHONE) throw new RailRejected('The simulated rail refuses this number.');
      const payment = simulatedPayment.parse({
        ...payin,
        paymentId: payinId,
        rail: paymentMethod,
        status: 'PENDING',
        linkFrom: clock.now().getTime() + LINK_DELAY,
      } satisfies SimulatedPayment);
      const known = (await putOnce(dynamo, table, payment)) ? undefined : await find(payinId);
      if (phone === UNANSWERED_PHONE) throw new RailUnavailable('The simulated rail does not answer on this number.');
      return known ?? asPayment(payment, clock.now());
    });

  /** Ends a payment, or changes its money, as the payer or the rail would; false if there is none. */
  const change = async (
    reference: string,
    { status, amount }: Pick<Payment, 'status' | 'amount'>,
  ): Promise<boolean> => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { paymentId: reference },
      UpdateExpression: 'SET #status = :status, amount = :amount',
      ConditionExpression: 'attribute_exists(paymentId)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': status, ':amount': amount },
    });
    return (await unlessConditionFails(dynamo.send(update))) !== undefined;
  };

  return { find, order, change };
}

function asPayment({ paymentId, status, rail, amount, currency, linkFrom }: SimulatedPayment, now: Date): Payment {
  const hasLink = railSpecs[rail].hasLink && now.getTime() >= linkFrom;
  const link = hasLink ? `https://pse.example.com/pay/${paymentId}` : undefined;
  return { reference: paymentId, status, amount, currency, link };
}

/** False if a payment with this reference exists. */
async function putOnce(dynamo: DynamoDBDocumentClient, table: string, payment: SimulatedPayment): Promise<boolean> {
  const put = new PutCommand({
    TableName: table,
    Item: payment,
    ConditionExpression: 'attribute_not_exists(paymentId)',
  });
  return (await unlessConditionFails(dynamo.send(put))) !== undefined;
}

async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RailRejected || error instanceof RailUnavailable) throw error;
    throw new RailUnavailable(describe(error), { cause: error });
  }
}
