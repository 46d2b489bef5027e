import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import {
  type FindPaymentAtRail,
  type ListPayments,
  type OrderPayment,
  type Payment,
  RailRejected,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { describe } from '#shared/platform/logger.ts';

/** Phone numbers on which the simulated rail fails, so that clients can test a failure. */
const REJECTED_PHONE = '3990000502';
const UNANSWERED_PHONE = '3990000503';

/** Milliseconds. Like a real rail, the simulated one creates the link a moment after the payment. */
const LINK_DELAY = 300;

/** The simulated rail's item of a pay-in and its payment. */
const simulatedPayment = z.object({
  paymentId: z.string(),
  status: z.enum(['PENDING', 'COMPLETED', 'FAILED', 'EXPIRED']),
  paymentMethod: payin.shape.paymentMethod,
  amount: z.string(),
  currency: z.string(),
  /** Milliseconds since 1970. */
  linkFrom: z.number(),
  /** Milliseconds since 1970: an unpaid payment is EXPIRED from then on. Absent in items of earlier releases. */
  payableUntil: z.optional(z.number()),
  paidAt: z.optional(z.string()),
});

const listed = z.object({ paymentId: z.string() });

/** A position in the list of payments: a day, and the last payment that was listed of it. */
const placeIn = z.object({
  day: z.string(),
  after: z.optional(z.object({ paymentId: z.string(), createdOn: z.string(), createdAt: z.string() })),
});

type Place = z.infer<typeof placeIn>;

/** Payments on a page. */
const PAGE = 100;

/** Milliseconds. */
const DAY = 24 * 3600_000;

/** For orders without an end: payments that developers leave behind would stay open and raise an alarm in a month. */
const PAYABLE_FOR = 7 * DAY;

type SimulatedPayment = z.infer<typeof simulatedPayment>;

/** The simulated rail keeps its payments in a table of its own, which the rest of the service never reads. */
export function createSimulatedPayments(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find: FindPaymentAtRail = ({ reference }) =>
    orUnavailable(async () => {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: { paymentId: reference }, ConsistentRead: true }),
      );
      return Item && asPayment(simulatedPayment.parse(Item), clock.now());
    });

  const order: OrderPayment = ({ payin }) =>
    orUnavailable(async () => {
      const { payinId, phone, expirationDate, createdAt: orderedAt } = payin;
      const now = clock.now().getTime();
      if (phone === REJECTED_PHONE) throw new RailRejected('The simulated rail refuses this number.');
      const payment = simulatedPayment.parse({
        ...payin,
        paymentId: payinId,
        status: 'PENDING',
        linkFrom: now + LINK_DELAY,
        payableUntil: expirationDate === undefined ? now + PAYABLE_FOR : Date.parse(expirationDate),
      } satisfies SimulatedPayment);
      const known = (await putOnce(dynamo, table, payment, clock.now()))
        ? undefined
        : await find({ reference: payinId, orderedAt });
      if (phone === UNANSWERED_PHONE) throw new RailUnavailable('The simulated rail does not answer on this number.');
      return known ?? asPayment(payment, clock.now());
    });

  const listPayments: ListPayments = ({ createdSince, until, cursor }) =>
    orUnavailable(async () => {
      const last = until.slice(0, 10);
      let place: Place | undefined = cursor === undefined ? { day: createdSince.slice(0, 10) } : placeAt(cursor);
      while (place !== undefined) {
        const { day, after }: Place = place;
        const page = await dynamo.send(
          new QueryCommand({
            TableName: table,
            IndexName: 'byDay',
            KeyConditionExpression: 'createdOn = :day AND createdAt BETWEEN :since AND :until',
            ExpressionAttributeValues: { ':day': day, ':since': createdSince, ':until': until },
            Limit: PAGE,
            ExclusiveStartKey: after,
          }),
        );
        const keys = (page.Items ?? []).map((item) => listed.parse(item));
        const items = await batchGet(dynamo, clock, table, keys);
        const payments = items.flatMap((item) => (item ? asPayment(simulatedPayment.parse(item), clock.now()) : []));
        place = placeAfter(day, page.LastEvaluatedKey, last);
        if (payments.length > 0) return { payments, ...(place && { cursor: JSON.stringify(place) }) };
      }
      return { payments: [] };
    });

  /** Ends a payment, or changes its money, as the payer or the rail would; false if there is none. */
  const change = async (
    reference: string,
    { status, amount }: Pick<Payment, 'status' | 'amount'>,
  ): Promise<boolean> => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { paymentId: reference },
      UpdateExpression: 'SET #status = :status, amount = :amount, paidAt = :paidAt',
      ConditionExpression: 'attribute_exists(paymentId)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': status, ':amount': amount, ':paidAt': clock.now().toISOString() },
    });
    return (await unlessConditionFails(dynamo.send(update))) !== undefined;
  };

  return { find, order, listPayments, change };
}

function placeAt(cursor: string): Place {
  return placeIn.parse(JSON.parse(cursor));
}

/** The rest of the day, or the next one; `undefined` at the end. */
function placeAfter(day: string, after: unknown, last: string): Place | undefined {
  if (after !== undefined) return placeIn.parse({ day, after });
  const next = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
  return next <= last ? { day: next } : undefined;
}

function asPayment(kept: SimulatedPayment, now: Date): Payment {
  const {
    paymentId,
    paymentMethod,
    amount,
    currency,
    linkFrom,
    payableUntil = Number.POSITIVE_INFINITY,
    paidAt,
  } = kept;
  const status = kept.status === 'PENDING' && now.getTime() >= payableUntil ? 'EXPIRED' : kept.status;
  const hasLink = paymentMethods[paymentMethod].hasLink && now.getTime() >= linkFrom;
  return {
    reference: paymentId,
    railPaymentId: `simulated-${paymentId}`,
    status,
    amount,
    currency,
    link: hasLink ? `https://pse.example.com/pay/${paymentId}` : undefined,
    ...(status === 'COMPLETED' && { paidAt }),
  };
}

/** False if a payment with this reference exists. */
async function putOnce(
  dynamo: DynamoDBDocumentClient,
  table: string,
  payment: SimulatedPayment,
  now: Date,
): Promise<boolean> {
  const createdAt = now.toISOString();
  const put = new PutCommand({
    TableName: table,
    Item: { ...payment, createdAt, createdOn: createdAt.slice(0, 10) },
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
