import {
  type FindPaymentAtRail,
  type OrderPayment,
  type Payment,
  type Preparation,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';

type Order = Parameters<OrderPayment>[0];

/** A rail that takes every reference once, as the port demands. */
export function railInMemory() {
  const payments = new Map<string, Payment>();
  /** The orders that reached the rail, oldest first. */
  const orders: Order[] = [];
  const state = { isDown: false, answersOrders: true, makesLinks: true };

  const find: FindPaymentAtRail = async ({ reference }) => {
    if (state.isDown) throw new RailUnavailable('down');
    return payments.get(reference);
  };
  const order: OrderPayment = async (ordered) => {
    if (state.isDown) throw new RailUnavailable('down');
    orders.push(ordered);
    const { payinId: reference, paymentMethod, amount, currency } = ordered.payin;
    const link = paymentMethod === 'PSE' && state.makesLinks ? `https://pse.example/${reference}` : undefined;
    const payment = payments.get(reference) ?? { reference, status: 'PENDING', amount, currency, link };
    payments.set(reference, payment);
    if (!state.answersOrders) throw new RailUnavailable('timeout');
    return payment;
  };
  /** Changes a payment that the rail has. */
  const become = (reference: string, differences: Partial<Payment>) => {
    const payment = payments.get(reference);
    if (payment === undefined) throw new Error(`The rail has no payment ${reference}.`);
    payments.set(reference, { ...payment, ...differences });
  };
  const prepare = async (): Promise<Preparation | undefined> => undefined;
  return { payments, orders, prepare, state, find, order, become };
}
