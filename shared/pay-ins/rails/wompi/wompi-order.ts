import { createHash } from 'node:crypto';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import { type OrderPayment, type Payment, RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Acceptances } from './wompi-acceptances.ts';
import { type AskWompi, type WithWompi, WompiRefused } from './wompi-client.ts';
import { findByReference, paymentOf } from './wompi-payments.ts';

type Order = Parameters<OrderPayment>[0];

interface Signed {
  readonly reference: string;
  readonly amountInCents: string;
  readonly currency: string;
  /** Exactly as it is sent. */
  readonly expirationTime?: string | undefined;
}

/** The signature of an order (Wompi, Widget and checkout: integrity signature). */
export function integritySignature(
  { reference, amountInCents, currency, expirationTime = '' }: Signed,
  integritySecret: string,
): string {
  const signed = `${reference}${amountInCents}${currency}${expirationTime}${integritySecret}`;
  return createHash('sha256').update(signed).digest('hex');
}

/** A canonical amount of pesos with at most two decimals, in cents. */
export function centsOf(pesos: string): string {
  const [whole = '', cents = ''] = pesos.split('.');
  return String(BigInt(`${whole}${cents.padEnd(2, '0')}`));
}

const tokenFields: readonly string[] = ['acceptance_token', 'accept_personal_auth'];

/** Fields of an order that the service makes itself: an error in them is not the client's, and is temporary. */
const ownFields: readonly string[] = [...tokenFields, 'signature'];

/** Orders at Wompi. A repeated order is found by its reference; a refused acceptance token is renewed once. */
export function createOrderAtWompi(withWompi: WithWompi, acceptances: Acceptances): OrderPayment {
  return (order) =>
    withWompi(async (ask, keys) => {
      const post = async (ordered: Order): Promise<Payment> => {
        const { data } = Object(await ask({ path: '/transactions', body: bodyOf(ordered, keys.integritySecret) }));
        return paymentOf(data);
      };
      try {
        try {
          return await post(order);
        } catch (error) {
          if (!(error instanceof WompiRefused && isAboutTokens(error))) throw error;
          return await post({ ...order, prepared: await acceptances.renew(ask, keys, order.prepared) });
        }
      } catch (error) {
        if (error instanceof WompiRefused) return await acceptedBefore(ask, order, error);
        throw error;
      }
    });
}

const isAboutTokens = ({ messages }: WompiRefused) =>
  Object.keys(messages).every((field) => tokenFields.includes(field));

/**
 * Looks for the payment of a refused order: Wompi may have accepted an earlier order with its reference. Wompi says
 * that it has a reference only if it finds nothing else wrong.
 *
 * @throws {RailRejected} @throws {RailUnavailable}
 */
async function acceptedBefore(ask: AskWompi, { payin }: Order, refused: WompiRefused): Promise<Payment> {
  const known = await findByReference(ask, payin.payinId);
  if (known !== undefined) return known;
  const fields = Object.keys(refused.messages);
  if (fields.includes('reference') || fields.every((field) => ownFields.includes(field))) throw refused;
  throw new RailRejected(wordsOf(refused.messages));
}

/** Wompi's words about each field. */
function wordsOf(messages: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(messages).map(([field, message]) => `${field}: ${textsIn(message).join(', ')}`);
  return words.join('; ');
}

function textsIn(message: unknown): readonly string[] {
  return typeof message === 'object' && message !== null ? Object.values(message).flatMap(textsIn) : [String(message)];
}

/** The body of an order: the fields of every method (Wompi, Transactions), and of this one (Wompi, Payment methods). */
function bodyOf(order: Order, integritySecret: string): object {
  const { payin, payer, prepared } = order;
  const { payinId: reference, currency, paymentMethod, redirectUrl, expirationDate } = payin;
  const [acceptanceToken, personalToken] = prepared?.acceptanceTokens ?? [];
  const amountInCents = centsOf(payin.amount);
  const expirationTime = expirationDate === undefined ? undefined : new Date(expirationDate).toISOString();
  return {
    acceptance_token: needed(acceptanceToken),
    accept_personal_auth: needed(personalToken),
    // Far below the largest integer that a number holds.
    amount_in_cents: Number(amountInCents),
    currency,
    reference,
    signature: integritySignature({ reference, amountInCents, currency, expirationTime }, integritySecret),
    customer_email: needed(payer.email),
    ...(expirationTime !== undefined && { expiration_time: expirationTime }),
    ...(redirectUrl !== undefined && { redirect_url: redirectUrl }),
    ...byMethod[paymentMethod](order),
  };
}

const userTypes: ReadonlyMap<string, number> = new Map([
  ['NATURAL', 0],
  ['LEGAL', 1],
]);

const byMethod: Readonly<Record<PaymentMethod, (order: Order) => object>> = {
  PSE: (order) => ({
    customer_data: {
      full_name: needed(order.payer.fullName),
      phone_number: `57${needed(order.payer.phone)}`,
    },
    payment_method: {
      type: 'PSE',
      user_type: needed(userTypes.get(order.payer.personType ?? '')),
      ...documentOf(order),
      financial_institution_code: needed(order.payin.bank),
      payment_description: descriptionOf(order),
    },
  }),
  NEQUI: ({ payin }) => ({ payment_method: { type: 'NEQUI', phone_number: needed(payin.phone) } }),
  DAVIPLATA: (order) => ({
    payment_method: { type: 'DAVIPLATA', ...documentOf(order), payment_description: descriptionOf(order) },
  }),
};

const documentOf = ({ payer }: Order) => ({
  user_legal_id_type: needed(payer.documentType),
  user_legal_id: needed(payer.documentNumber),
});

/** The payer sees it: at most 30 characters, without quotes. */
const descriptionOf = ({ payin }: Order) => `Pago ${payin.payinId.slice(0, 8)}`;

/** The user's record was complete when the pay-in was created, but may have been erased since. */
function needed<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RailUnavailable('The order lacks data of the payer that Wompi requires.');
  return value;
}
