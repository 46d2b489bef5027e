import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '#shared/platform/clock.ts';
import { createSendEvent, type EventOptions, transactionUpdated, type WompiEvent } from './wompi-event.ts';
import type { Messages, WompiOrder } from './wompi-order.ts';

type Status = 'PENDING' | 'APPROVED' | 'DECLINED' | 'ERROR' | 'VOIDED';

export interface Decision {
  readonly status: Exclude<Status, 'PENDING'>;
  /** The paid amount, if it differs from the ordered one. */
  readonly amountInCents?: number;
  readonly message?: string;
}

export interface AccountOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly environment?: 'test' | 'prod';
  /** Whether documented test values decide payments, or only `decide`; by default SANDBOX in the test environment. */
  readonly outcomes?: 'SANDBOX' | 'BY_HAND';
  /** Milliseconds until the payment has its link. */
  readonly linkDelay?: number;
  /** Milliseconds from the link to the sandbox's outcome. In the real sandbox, as measured, both come at once. */
  readonly outcomeDelay?: number;
  /** Resolves to whether the event was answered with 200. */
  readonly notify?: (event: WompiEvent) => Promise<boolean>;
  /** Whether an event that was not accepted is sent again, as Wompi does three times within a day. */
  readonly hasRetries?: boolean;
  /** Whether an acceptance token is valid for any number of orders until it expires, as the documentation suggests. */
  readonly areAcceptancesKept?: boolean;
}

interface Transaction {
  readonly id: string;
  readonly createdAt: Date;
  readonly order: WompiOrder;
  readonly extra: Record<string, unknown>;
  /** The token that authorizes the call with the payer's one-time password. */
  readonly otpToken: string;
  amountInCents: number;
  status: Status;
  message: string | null;
  finalizedAt: string | null;
}

/**
 * The outcomes of payments in the sandbox, by bank, phone number or one-time password. The third bank and the messages
 * are from calls of the sandbox in October 2026, the others from the page of test data.
 */
const sandboxOutcomes: Readonly<Record<string, Decision>> = {
  'PSE 1': { status: 'APPROVED' },
  'PSE 2': { status: 'DECLINED', message: 'Transacción RECHAZADA en Sandbox' },
  'PSE 3': { status: 'ERROR', message: 'Transacción con ERROR en Sandbox' },
  'NEQUI 3991111111': { status: 'APPROVED' },
  'NEQUI 3992222222': { status: 'DECLINED' },
  'DAVIPLATA 574829': { status: 'APPROVED' },
  'DAVIPLATA 932015': { status: 'DECLINED' },
  'DAVIPLATA 186743': { status: 'DECLINED' },
  'DAVIPLATA 999999': { status: 'ERROR' },
};
const ofOtherNumbers: Decision = { status: 'ERROR', message: 'Número no válido en Sandbox' };

const MERCHANT_ID = 11_000;
/** Seconds: exactly an hour, as in the token that the documentation prints. */
const TOKEN_LIFE = 3600;
/** For each acceptance: its field of the merchant, its type, its document, and its field of an order. */
const contracts = [
  ['presigned_acceptance', 'END_USER_POLICY', 'reglamento-usuarios', 'acceptance_token'],
  ['presigned_personal_data_auth', 'PERSONAL_DATA_AUTH', 'autorizacion-datos', 'accept_personal_auth'],
] as const;

/** One merchant of Wompi: its keys, payments, issued acceptances and events. */
export function createWompiAccount(options: AccountOptions) {
  const { clock, random, environment = 'test', linkDelay = 1_000, outcomeDelay = 0 } = options;
  const { outcomes = environment === 'test' ? 'SANDBOX' : 'BY_HAND' } = options;
  const hex = () => Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  const credentials = {
    publicKey: `pub_${environment}_${hex()}`,
    privateKey: `prv_${environment}_${hex()}`,
    integritySecret: `${environment}_integrity_${hex()}`,
    eventsSecret: `${environment}_events_${hex()}`,
  };
  /** Keyed by reference, oldest first. A declined payment keeps its reference: no source says that it is freed. */
  const transactions = new Map<string, Transaction>();
  const byId = new Map<string, Transaction>();
  const tokens = new Map<string, { readonly type: string; readonly expiresAt: number; isUsed: boolean }>();
  const send = options.notify && createSendEvent(clock, options.notify, options.hasRetries ?? false);
  const host = environment === 'test' ? 'https://api-sandbox.wompi.co/v1' : 'https://api.wompi.co/v1';
  const seconds = () => Math.floor(clock.now().getTime() / 1000);

  function known(reference: string): Transaction {
    const transaction = transactions.get(reference);
    if (transaction === undefined) throw new Error(`There is no payment with the reference ${reference}.`);
    return transaction;
  }

  /** `transaction.updated` about a payment as it is now. */
  function event(reference: string, eventOptions: EventOptions = {}): WompiEvent {
    const of = { environment, secret: credentials.eventsSecret, now: clock.now() };
    return transactionUpdated(viewOf(known(reference)), of, eventOptions);
  }

  /** Ends a payment, whatever it was before, and notifies. */
  function decide(reference: string, { status, amountInCents, message }: Decision): void {
    const transaction = known(reference);
    transaction.status = status;
    transaction.message = message ?? null;
    transaction.amountInCents = amountInCents ?? transaction.amountInCents;
    transaction.finalizedAt = clock.now().toISOString();
    send?.(event(reference));
  }

  function create(order: WompiOrder): Transaction {
    const id = `${MERCHANT_ID}-${seconds()}-${10_000 + transactions.size}`;
    const state = {
      amountInCents: order.amount_in_cents,
      status: 'PENDING',
      message: null,
      finalizedAt: null,
    } as const;
    const transaction: Transaction = { id, createdAt: clock.now(), order, extra: {}, otpToken: hex(), ...state };
    transactions.set(order.reference, transaction);
    byId.set(id, transaction);
    const { appears, outcome } = courseOf(transaction);
    const end = () => {
      if (outcome !== undefined && transaction.status === 'PENDING') decide(order.reference, outcome);
    };
    clock.after(linkDelay, () => {
      Object.assign(transaction.extra, appears);
      if (outcomeDelay === 0) end();
    });
    if (outcomeDelay > 0) clock.after(linkDelay + outcomeDelay, end);
    return transaction;
  }

  /** What happens automatically: the payer's link appears and, in the sandbox, the test value decides the outcome. */
  function courseOf({ id, otpToken, order: { payment_method: method } }: Transaction) {
    const isSandbox = outcomes === 'SANDBOX';
    if (method.type === 'NEQUI')
      return { outcome: isSandbox ? (sandboxOutcomes[`NEQUI ${method.phone_number}`] ?? ofOtherNumbers) : undefined };
    if (method.type === 'PSE') {
      const outcome = isSandbox ? sandboxOutcomes[`PSE ${method.financial_institution_code}`] : undefined;
      return { appears: { async_payment_url: `${host}/pse/redirect?ticket_id=${hex()}` }, outcome };
    }
    const url = `${host}/daviplata/otp/${id}`;
    const services = { token: otpToken, code_otp_send: `${url}/send`, code_otp_validate: `${url}/validate` };
    return { appears: { url, url_services: services } };
  }

  /** Enters the payer's code, as on the page of DAVIPLATA; an unknown code leaves the payment unchanged. */
  function enterPassword(reference: string, code: string): boolean {
    const outcome = sandboxOutcomes[`DAVIPLATA ${code}`];
    if (outcome === undefined || known(reference).status !== 'PENDING') return false;
    decide(reference, outcome);
    return true;
  }

  /** Issues new acceptances on each call, as texts that look like JWTs. */
  function issueAcceptances() {
    return Object.fromEntries(
      contracts.map(([field, type, file], n) => {
        const permalink = `https://wompi.com/assets/downloadble/${file}.pdf`;
        const file_hash = createHash('md5').update(permalink).digest('hex');
        const jti = `${seconds()}-${10_000 + tokens.size}`;
        const claims = { contract_id: n + 1, permalink, file_hash, jti, exp: seconds() + TOKEN_LIFE };
        const signed = [{ alg: 'HS256' }, claims].map((part) =>
          Buffer.from(JSON.stringify(part)).toString('base64url'),
        );
        const seal = createHmac('sha256', credentials.eventsSecret).update(signed.join('.')).digest('base64url');
        const acceptance_token = [...signed, seal].join('.');
        tokens.set(acceptance_token, { type, expiresAt: claims.exp, isUsed: false });
        return [field, { acceptance_token, permalink, type }];
      }),
    );
  }

  /**
   * Uses up the order's acceptances, or returns why one cannot be used. Each is valid for one order, even if that order
   * is then refused because of its signature (calls of the sandbox, 5 to 7 October 2026; the documentation does not say
   * so).
   */
  function useAcceptances(order: WompiOrder): Messages | undefined {
    for (const [, type, , field] of contracts) {
      const issued = tokens.get(order[field]);
      if (issued?.type !== type) return { [field]: ['El token de aceptación no es válido'] };
      if (issued.isUsed && options.areAcceptancesKept !== true)
        return { [field]: ['El token de aceptación ya fue usado'] };
      if (issued.expiresAt <= seconds()) return { [field]: ['El token de aceptación expiró'] };
    }
    for (const [, , , field] of contracts) Object.assign(tokens.get(order[field]) ?? {}, { isUsed: true });
    return undefined;
  }

  const actions = { create, decide, enterPassword, event, issueAcceptances, useAcceptances };
  return { credentials, environment, merchantId: MERCHANT_ID, transactions, byId, ...actions };
}

/** A payment as the API shows it. `extra` is absent while it is empty. */
export function viewOf({ order, extra, ...transaction }: Transaction) {
  const { reference, currency, customer_email, payment_method, redirect_url = null, customer_data = null } = order;
  return {
    id: transaction.id,
    created_at: transaction.createdAt.toISOString(),
    finalized_at: transaction.finalizedAt,
    amount_in_cents: transaction.amountInCents,
    ...{ reference, currency, customer_email, redirect_url, customer_data },
    payment_method_type: payment_method.type,
    payment_method: { ...payment_method, ...(Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }) },
    status: transaction.status,
    status_message: transaction.message,
    ...{ shipping_address: null, payment_link_id: null, payment_source_id: null, bill_id: null, taxes: [] },
  };
}
