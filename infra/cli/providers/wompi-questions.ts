import * as z from 'zod/mini';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import type { WompiServer } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { createCallHttps, type HttpsAnswer } from '#shared/platform/call-https.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { credentialsOfOtherEnvironment, type RailCredentials } from './credentials.ts';
import { agreement, difference, ErrorAnswer, type ManualCheck, memoize, type Question, undecided } from './finding.ts';

interface Rail {
  readonly keys: RailCredentials;
  readonly server: WompiServer;
  /** The methods by which the stage collects at this rail. */
  readonly methods: readonly PaymentMethod[];
}

const token = z.object({ acceptance_token: z.string(), permalink: z.string() });

const merchant = z.object({
  data: z.object({
    presigned_acceptance: token,
    presigned_personal_data_auth: token,
    accepted_payment_methods: z.optional(z.array(z.string())),
  }),
});

const banks = z.object({ data: z.array(z.object({ financial_institution_code: z.string() })) });

const transactions = z.object({
  data: z.array(z.object({ id: z.string(), payment_method: z.nullish(z.object({ extra: z.optional(z.unknown()) })) })),
});

const claims = z.object({ exp: z.number() });

const NONE_YET = 'there is no transaction yet that shows it';

/** Questions that only the merchant's account can answer, about a stage's settings (docs/providers.md). */
export function wompiQuestions({ keys, server, methods }: Rail): readonly Question[] {
  const { publicKey, privateKey } = keys;
  const get = createGet(server.url);
  const read = async (path: string) => bodyOf(await get(path, privateKey));
  const newest = async () => transactions.parse(await read(listOf(1))).data[0];
  // The same requests as the service's own.
  const readMerchant = memoize(async () => {
    const info = await get('/v1/merchants/info', undefined, { 'x-merchant-public-key': publicKey });
    return merchant.parse(bodyOf(info.status === 200 ? info : await get(`/v1/merchants/${publicKey}`))).data;
  });
  return [
    {
      about: 'beginnings of the four secrets',
      request: 'none: they are compared',
      ask: async () => {
        const wrong = credentialsOfOtherEnvironment(keys, server.isTest);
        const kind = server.isTest ? 'test' : 'prod';
        return wrong.length === 0 ? agreement(`of ${kind}`) : difference(`not of ${kind}: ${wrong.join(', ')}`);
      },
    },
    {
      about: 'payment methods of the merchant',
      request: 'GET /v1/merchants/info, or /v1/merchants/{public key}',
      ask: async () => {
        const { accepted_payment_methods: accepted } = await readMerchant();
        if (accepted === undefined) return undecided('the answer does not say');
        const lacking = methods.filter((method) => !accepted.includes(method));
        return lacking.length === 0
          ? agreement(methods.join(', '))
          : difference(`it may not use ${lacking.join(', ')}`);
      },
    },
    {
      about: 'how long acceptance tokens are valid',
      request: 'GET /v1/merchants/info, or /v1/merchants/{public key}',
      ask: async () => {
        const { presigned_acceptance: accepted } = await readMerchant();
        const exp = endOf(accepted.acceptance_token);
        if (exp === undefined) return undecided('they do not say: each order gets its own');
        const seconds = Math.round(exp - Date.now() / 1000);
        return seconds > 300
          ? agreement(`${seconds} s`)
          : difference(`${seconds} s: the service renews five minutes before`);
      },
    },
    {
      about: 'banks of PSE',
      request: 'GET /v1/pse/financial_institutions',
      ask: async () => {
        const { data } = banks.parse(await read('/v1/pse/financial_institutions'));
        const codes = data.map((bank) => bank.financial_institution_code).filter((code) => code !== '0');
        const wrong = codes.filter((code, at) => !/^\d{1,4}$/.test(code) || codes.indexOf(code) !== at);
        if (codes.length === 0) return difference('it has none');
        return wrong.length === 0
          ? agreement(`${codes.length}, which the service takes over daily`)
          : difference(`the service takes none while codes are twice or no number: ${wrong.join(', ')}`);
      },
    },
    {
      about: 'the key that reads transactions',
      request: 'GET /v1/transactions/{id}, with each key',
      ask: async () => {
        const one = await newest();
        if (one === undefined) return undecided(NONE_YET);
        const [open, own] = [
          await get(`/v1/transactions/${one.id}`, publicKey),
          await get(`/v1/transactions/${one.id}`, privateKey),
        ];
        const text = `private ${own.status}, public ${open.status}`;
        return own.status === 200 ? agreement(text) : difference(text);
      },
    },
    {
      about: 'payment_method.extra in lists',
      request: 'GET /v1/transactions?…&page_size=1',
      ask: async () => {
        const one = await newest();
        if (one === undefined) return undecided(NONE_YET);
        return agreement(
          one.payment_method?.extra === undefined ? 'lists lack it: links are read by id' : 'lists have it',
        );
      },
    },
    {
      about: 'the largest page of a list',
      request: 'GET /v1/transactions?…&page_size=200, and 201',
      ask: async () => {
        const sizes = await Promise.all([200, 201].map((size) => get(listOf(size), privateKey)));
        const text = `200: ${sizes[0]?.status}, 201: ${sizes[1]?.status}`;
        return sizes[0]?.status === 200 ? agreement(text) : difference(text);
      },
    },
  ];
}

/** The path of the newest payments. Without a reference, Wompi requires a range of days. */
function listOf(size: number): string {
  const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString().slice(0, 10);
  const days = { from_date: '2020-01-01', until_date: tomorrow };
  const page = { order_by: 'created_at', order: 'DESC', page: '1', page_size: String(size) };
  return `/v1/transactions?${new URLSearchParams({ ...days, ...page })}`;
}

/** The end of a token, in seconds since 1970; `undefined` where the token does not have it. */
function endOf(token: string): number | undefined {
  try {
    return claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))).exp;
  } catch {
    return undefined;
  }
}

function createGet(url: string) {
  const call = createCallHttps(systemClock, { milliseconds: 10_000, bytes: 4 * 1024 * 1024 });
  return (path: string, key?: string, others: Readonly<Record<string, string>> = {}) => {
    const headers = { ...others, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
    return call({ url: `${url}${path}`, method: 'GET', headers });
  };
}

/** @throws {ErrorAnswer} */
function bodyOf({ status, text }: HttpsAnswer): unknown {
  if (status !== 200) throw new ErrorAnswer(status, text);
  return JSON.parse(text);
}

/** Checks that make a payment. */
export const wompiManualChecks: readonly ManualCheck[] = [
  {
    about: 'a reference after DECLINED',
    request: 'POST /v1/transactions by NEQUI 3992222222 in the sandbox, then again with its reference: 422?',
  },
  {
    about: 'when the link of PSE comes',
    request: 'POST /v1/transactions by PSE in the sandbox, then GET /v1/transactions/{id} each 200 ms, 20 times',
  },
];
