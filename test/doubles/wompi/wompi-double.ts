import { type AccountOptions, createWompiAccount, viewOf } from './wompi-account.ts';
import { integritySignature, type Messages, readOrder, wompiMethods } from './wompi-order.ts';

export interface WompiRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface WompiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds until the answer arrives; none if absent. */
  readonly delay?: number;
  /** True if the connection ends in the middle of the body. */
  readonly isCutOff?: boolean;
}

export interface WompiFault {
  readonly kind: 'TOO_MANY' | 'BROKEN' | 'REDIRECT' | 'SLOW' | 'MALFORMED' | 'CUT_OFF';
  /** The start of the call, such as `POST /v1/transactions`; any call if absent. */
  readonly call?: string;
  /** Number of calls; 1 if absent. */
  readonly times?: number;
  /** Whether the call is carried out before its answer is spoiled; by default only for the last three kinds. */
  readonly takesEffect?: boolean;
  /** Milliseconds, for SLOW; a minute if absent. */
  readonly delay?: number;
  /** Seconds, for TOO_MANY. Whether Wompi sends the header is not documented. */
  readonly retryAfter?: number;
}

export interface WompiDoubleOptions extends AccountOptions {
  readonly methods?: readonly string[];
  /** Whether `/merchants/{public key}` is answered. On 31 October 2026 Wompi replaces it with `/merchants/info`. */
  readonly hasMerchantPath?: boolean;
  /** Whether `/merchants/info` is answered. The documentation does not mention it. */
  readonly hasMerchantInfo?: boolean;
}

/** The three banks that the sandbox lists, and two banks of PSE after the placeholder that production lists first. */
const banks = {
  test: { '1': 'Banco que aprueba', '2': 'Banco que declina', '3': 'Banco que simula un error' },
  prod: { '0': 'A continuación seleccione su banco', '1007': 'BANCOLOMBIA', '1051': 'BANCO DAVIVIENDA' },
};

const json = (status: number, content: unknown): WompiAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(content),
});
const found = (data: unknown, status = 200) => json(status, { data, meta: {} });

/** Thrown to answer with an error. */
class Refusal extends Error {
  readonly answer: WompiAnswer;

  constructor(
    status: number,
    error: { readonly type: string; readonly reason?: string; readonly messages?: Messages },
  ) {
    super();
    this.answer = json(status, { error });
  }
}

const invalid = (messages: Messages) => new Refusal(422, { type: 'INPUT_VALIDATION_ERROR', messages });
const refusedKey = (status: 401 | 403, reason: string) => new Refusal(status, { type: 'INVALID_ACCESS_TOKEN', reason });
const noSuch = () => new Refusal(404, { type: 'NOT_FOUND_ERROR', reason: 'La entidad solicitada no existe' });
const notAllowed = () => refusedKey(403, 'El token no tiene suficientes permisos');

/** The pattern for a route's name, with a group for the variable part of the path. */
const patternOf = (name: string) => new RegExp(`^${name.replace(/\{\w+\}/, '([^/]+)')}$`);

function nowhere(): WompiAnswer {
  throw noSuch();
}

function orRefusal(run: () => WompiAnswer): WompiAnswer {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

interface Asked {
  /** The variable part of the path. */
  readonly part: string;
  readonly query: URLSearchParams;
  /** The key in `Authorization`. */
  readonly key: string | undefined;
  readonly merchantKey: string;
  readonly body: string;
}

const filters = ['reference', 'id', 'status', 'payment_method_type', 'customer_email'] as const;

function readListQuery(query: URLSearchParams) {
  const needed = query.has('reference') ? [] : ['from_date', 'until_date', 'page', 'page_size'];
  const missing = needed.filter((name) => !query.has(name));
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((name) => [name, ['No está presente']])));
  const { from_date: from = '0000-01-01', until_date: until = '9999-12-31', ...wanted } = Object.fromEntries(query);
  const [page, size] = [Number(wanted['page'] ?? 1), Number(wanted['page_size'] ?? 200)];
  const isPage = [page, size].every((n) => Number.isInteger(n) && n > 0) && size <= 200;
  const areDates = [from, until].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day));
  if (!isPage || !areDates) throw invalid({ query: ['Formato inválido'] });
  return { from, until, page, size, wanted };
}

/**
 * Wompi Colombia's payments API without network, by its documentation and by measurements in its sandbox. Where they
 * differ, the double follows the stricter one: an acceptance is valid for one order, a payment is shown only to the
 * private key, and lists have neither `extra` nor totals.
 */
export function createWompiDouble(options: WompiDoubleOptions) {
  const { clock, methods = wompiMethods, hasMerchantPath = true, hasMerchantInfo = true } = options;
  const account = createWompiAccount(options);
  const { credentials, environment, transactions } = account;
  const counts = new Map<string, number>();
  const faults: { fault: WompiFault; left: number }[] = [];
  const bankCodes = Object.keys(banks[environment]).filter((code) => code !== '0');
  let listLag = 0;

  /** The kind of a key. @throws a refusal without a key, or for a key of the other environment */
  function callerOf(key: string | undefined): 'PRIVATE' | 'PUBLIC' | 'UNKNOWN' {
    if (key === undefined) throw refusedKey(401, 'Se esperaba una llave pública o privada pero no se recibió ninguna');
    if (!new RegExp(`^(pub|prv)_${environment}_`).test(key))
      throw refusedKey(401, `La llave proporcionada no corresponde a este ambiente, se recibió: ${key}`);
    if (key === credentials.privateKey) return 'PRIVATE';
    return key === credentials.publicKey ? 'PUBLIC' : 'UNKNOWN';
  }

  function showMerchant(key: string): WompiAnswer {
    if (!/^pub_(test|prod)_\w+$/.test(key)) throw invalid({ public_key: ['Formato inválido'] });
    if (callerOf(key) !== 'PUBLIC') throw noSuch();
    const who = {
      id: account.merchantId,
      name: 'Comercio',
      legal_name: 'Comercio S.A.S.',
      active: true,
      public_key: key,
    };
    const takes = { accepted_payment_methods: methods, accepted_currencies: ['COP'] };
    return found({ ...who, ...takes, ...account.issueAcceptances() });
  }

  function listBanks({ key }: Asked): WompiAnswer {
    callerOf(key);
    const names = Object.entries(banks[environment]);
    return found(names.map(([code, name]) => ({ financial_institution_code: code, financial_institution_name: name })));
  }

  /** Checks in the measured order: the body, the key, the acceptances, the signature; then the reference. */
  function takeOrder({ body, key }: Asked): WompiAnswer {
    const { order, messages } = readOrder(body, methods, bankCodes);
    if (order === undefined) throw invalid(messages);
    const caller = callerOf(key);
    if (caller === 'UNKNOWN') throw refusedKey(401, 'Llave no válida');
    if (caller === 'PUBLIC') throw notAllowed();
    const unusable = account.useAcceptances(order);
    if (unusable !== undefined) throw invalid(unusable);
    if (order.signature == null) throw invalid({ signature: ['Firma de integridad requerida no enviada'] });
    if (order.signature !== integritySignature(order, credentials.integritySecret))
      throw invalid({ signature: ['La firma es inválida'] });
    if (transactions.has(order.reference)) throw invalid({ reference: ['La referencia ya ha sido usada'] });
    return found(viewOf(account.create(order)), 201);
  }

  /** With the public key, or without a key, a payment is not found (sandbox, October 2026). */
  function showTransaction({ part: id, key }: Asked): WompiAnswer {
    const caller = key === undefined ? 'PUBLIC' : callerOf(key);
    if (caller === 'UNKNOWN') throw notAllowed();
    const transaction = account.byId.get(id);
    if (transaction === undefined || caller === 'PUBLIC') throw noSuch();
    return found(viewOf(transaction));
  }

  /** Lists by reference, or by days (UTC, both included) and pages, without payments created within the lag. */
  function listTransactions({ query, key }: Asked): WompiAnswer {
    if (callerOf(key) !== 'PRIVATE') throw notAllowed();
    const { from, until, page, size, wanted } = readListQuery(query);
    const newest = clock.now().getTime() - listLag;
    const matching = [...transactions.values()].filter((one) => {
      const [view, day] = [viewOf(one), one.createdAt.toISOString().slice(0, 10)];
      const isWanted = filters.every((name) => wanted[name] === undefined || wanted[name] === view[name]);
      return isWanted && day >= from && day <= until && one.createdAt.getTime() <= newest;
    });
    if (wanted['order'] !== 'ASC') matching.reverse();
    return found(matching.slice((page - 1) * size, page * size).map((one) => viewOf({ ...one, extra: {} })));
  }

  function enterPassword({ part: id, key, body }: Asked): WompiAnswer {
    const transaction = account.byId.get(id);
    if (transaction === undefined || key !== transaction.otpToken) throw refusedKey(401, 'Llave no válida');
    const code = /"code":\s*"?(\d{6})/.exec(body)?.[1] ?? '';
    if (!account.enterPassword(transaction.order.reference, code)) throw invalid({ code: ['Código inválido'] });
    return found({ status: transaction.status });
  }

  /** Keyed by the name under which calls are counted; the first match answers. */
  const routes: Readonly<Record<string, (asked: Asked) => WompiAnswer>> = {
    ...(hasMerchantInfo && { 'GET /v1/merchants/info': ({ merchantKey }: Asked) => showMerchant(merchantKey) }),
    ...(hasMerchantPath && { 'GET /v1/merchants/{public_key}': ({ part }: Asked) => showMerchant(part) }),
    'GET /v1/pse/financial_institutions': listBanks,
    'POST /v1/transactions': takeOrder,
    'GET /v1/transactions': listTransactions,
    'GET /v1/transactions/{id}': showTransaction,
    'POST /v1/daviplata/otp/{id}/validate': enterPassword,
  };

  function answer({ method, path, headers, body }: WompiRequest): WompiAnswer {
    const { pathname, searchParams: query } = new URL(path, 'https://double.invalid');
    const call = `${method} ${pathname}`;
    const name = Object.keys(routes).find((one) => patternOf(one).test(call)) ?? call;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const part = decodeURIComponent(patternOf(name).exec(call)?.[1] ?? '');
    const key = /^Bearer (\S+)$/.exec(String(headers['authorization'] ?? ''))?.[1];
    const merchantKey = String(headers['x-merchant-public-key'] ?? '');
    const carryOut = () => orRefusal(() => (routes[name] ?? nowhere)({ part, query, key, merchantKey, body }));
    const due = faults.find(({ fault, left }) => left > 0 && call.startsWith(fault.call ?? ''));
    if (due === undefined) return carryOut();
    due.left -= 1;
    return spoiled(due.fault, carryOut);
  }

  return {
    credentials,
    answer,
    /** Calls so far, by name: `POST /v1/transactions`, `GET /v1/transactions`, `GET /v1/transactions/{id}` and so on. */
    countOf: (name: string) => counts.get(name) ?? 0,
    decide: account.decide,
    event: account.event,
    fail: (fault: WompiFault) => void faults.push({ fault, left: fault.times ?? 1 }),
    /** From now on, lists lack payments created within the last `milliseconds`. */
    lagLists: (milliseconds: number) => {
      listLag = milliseconds;
    },
    /** Each payment as the API shows it, by reference. */
    payment: (reference: string) => {
      const transaction = transactions.get(reference);
      return transaction && viewOf(transaction);
    },
  };
}

function spoiled({ kind, delay = 60_000, retryAfter, takesEffect }: WompiFault, run: () => WompiAnswer): WompiAnswer {
  const isAnswered = kind === 'SLOW' || kind === 'MALFORMED' || kind === 'CUT_OFF';
  const whole = (takesEffect ?? isAnswered) ? run() : json(503, {});
  const half = whole.body.slice(0, whole.body.length / 2);
  const pause: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const answers = {
    TOO_MANY: { status: 429, headers: pause, body: '' },
    BROKEN: { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Internal Server Error</h1>' },
    REDIRECT: { status: 302, headers: { location: 'https://elsewhere.invalid/' }, body: '' },
    SLOW: { ...whole, delay },
    MALFORMED: { ...whole, body: half },
    CUT_OFF: { ...whole, isCutOff: true },
  };
  return answers[kind];
}
