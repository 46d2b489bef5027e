import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

/** The names of the payment methods that this double knows. */
export const wompiMethods = ['PSE', 'NEQUI', 'DAVIPLATA'] as const;

const filled = z.string().check(z.minLength(1));
/** The sandbox page allows 30 characters, the page of methods 64 and no single quotes: this check satisfies both. */
const description = z.string().check(z.minLength(1), z.maxLength(30), z.regex(/^[^']*$/));
const payer = { user_legal_id: filled, user_legal_id_type: z.enum(['CC', 'NIT']), payment_description: description };

const paymentMethod = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('PSE'),
    user_type: z.union([z.literal(0), z.literal(1)]),
    financial_institution_code: filled,
    ...payer,
  }),
  z.looseObject({ type: z.literal('NEQUI'), phone_number: z.string().check(z.regex(/^3\d{9}$/)) }),
  z.looseObject({ type: z.literal('DAVIPLATA'), ...payer }),
]);

const customerData = z.looseObject({ full_name: filled, phone_number: z.optional(filled) });

/** The body of `POST /transactions`, without the checks that need the double's state: tokens, signature, reference. */
const wompiOrder = z.looseObject({
  acceptance_token: filled,
  accept_personal_auth: filled,
  amount_in_cents: z.int().check(z.minimum(1), z.maximum(1e12)),
  currency: z.literal('COP'),
  customer_email: z.email(),
  reference: z.string().check(z.minLength(1), z.maxLength(255)),
  payment_method: paymentMethod,
  signature: z.nullish(z.string()),
  redirect_url: z.nullish(z.url()),
  expiration_time: z.nullish(z.iso.datetime()),
  customer_data: z.nullish(customerData),
});

export type WompiOrder = z.output<typeof wompiOrder>;

/** Error messages by field, nested like the fields, as Wompi answers them. */
export type Messages = { [field: string]: string[] | Messages };

const NOT_THERE = 'No está presente';

type Read =
  | { readonly order: WompiOrder; readonly messages?: never }
  | { readonly order?: never; readonly messages: Messages };

/** Returns the order, or why a merchant with these methods and banks cannot send it. */
export function readOrder(body: string, methods: readonly string[], banks: readonly string[]): Read {
  const { data: order, error } = z.safeParse(wompiOrder, parsed(body), { reportInput: true });
  if (error !== undefined) {
    const messages: Messages = {};
    for (const { path, input } of error.issues)
      addMessage(messages, path.map(String), input === undefined ? NOT_THERE : 'Formato inválido');
    return { messages };
  }
  const method = order.payment_method;
  if (!methods.includes(method.type)) return { messages: { payment_method: { type: ['Formato inválido'] } } };
  if (method.type !== 'PSE') return { order };
  if (order.customer_data?.phone_number === undefined)
    return { messages: { customer_data: { phone_number: ['Debe ser completado'] } } };
  return banks.includes(method.financial_institution_code)
    ? { order }
    : { messages: { payment_method: { financial_institution_code: ['Formato inválido'] } } };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function addMessage(messages: Messages, [field = 'body', ...rest]: readonly string[], message: string): void {
  const there = messages[field];
  if (rest.length === 0) messages[field] = [message];
  else {
    const inside = there === undefined || Array.isArray(there) ? {} : there;
    messages[field] = inside;
    addMessage(inside, rest, message);
  }
}

/**
 * The signature in lower-case hex. `expiration_time` is part of it only if the order has one (Wompi, "Widget & Checkout
 * Web", step 3).
 */
export function integritySignature(
  order: Pick<WompiOrder, 'reference' | 'amount_in_cents' | 'currency' | 'expiration_time'>,
  secret: string,
): string {
  const { reference, amount_in_cents, currency, expiration_time } = order;
  return createHash('sha256')
    .update(`${reference}${amount_in_cents}${currency}${expiration_time ?? ''}${secret}`)
    .digest('hex');
}
