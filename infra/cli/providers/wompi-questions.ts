import * as z from 'zod/mini';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import type { WompiKeys, WompiServer } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { createCallHttps } from '#shared/platform/call-https.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { agrees, type ByHand, compareLists, differs, type Question, unknown } from './finding.ts';

interface Rail {
  readonly keys: WompiKeys & { readonly eventsSecret: string };
  readonly server: WompiServer;
  /** The methods that the stage collects by at this rail, and the codes of its banks. */
  readonly methods: readonly PaymentMethod[];
  readonly bankCodes: readonly string[];
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

/** What only the merchant's own account says of what a stage's settings say of it (docs/providers.md). */
export function wompiQuestions({ keys, server, methods, bankCodes }: Rail): readonly Question[] {
  const { publicKey, privateKey } = keys;
  const get = createGet(server.url);
  const newest = async () => {
    const { body } = await get('/v1/transactions?order=DESC&page=1&page_size=1', privateKey);
    return transactions.parse(body).data[0];
  };
  return [
    {
      about: 'beginnings of the four secrets',
      request: 'none: they are compared',
      ask: async () => {
        const kind = server.isTest ? 'test' : 'prod';
        const wrong = [
          ...(publicKey.startsWith(`pub_${kind}_`) ? [] : ['publicKey']),
          ...(privateKey.startsWith(`prv_${kind}_`) ? [] : ['privateKey']),
          ...(keys.integritySecret.startsWith(`${kind}_integrity_`) ? [] : ['integritySecret']),
          ...(keys.eventsSecret.startsWith(`${kind}_events_`) ? [] : ['eventsSecret']),
        ];
        return wrong.length === 0 ? agrees(`of ${kind}`) : differs(`not of ${kind}: ${wrong.join(', ')}`);
      },
    },
    {
      about: 'payment methods of the merchant',
      request: 'GET /v1/merchants/{public key}',
      ask: async () => {
        const { accepted_payment_methods: accepted } = merchant.parse(
          (await get(`/v1/merchants/${publicKey}`)).body,
        ).data;
        if (accepted === undefined) return unknown('the answer does not say');
        const lacking = methods.filter((method) => !accepted.includes(method));
        return lacking.length === 0 ? agrees(methods.join(', ')) : differs(`it may not use ${lacking.join(', ')}`);
      },
    },
    {
      about: 'how long acceptance tokens are good',
      request: 'GET /v1/merchants/{public key}',
      ask: async () => {
        const { data } = merchant.parse((await get(`/v1/merchants/${publicKey}`)).body);
        const payload = Buffer.from(data.presigned_acceptance.acceptance_token.split('.')[1] ?? '', 'base64url');
        const { exp } = claims.parse(JSON.parse(payload.toString('utf8')));
        const seconds = Math.round(exp - Date.now() / 1000);
        return seconds > 300 ? agrees(`${seconds} s`) : differs(`${seconds} s: the service renews five minutes before`);
      },
    },
    {
      about: 'banks of PSE',
      request: 'GET /v1/pse/financial_institutions',
      ask: async () => {
        const { data } = banks.parse((await get('/v1/pse/financial_institutions', privateKey)).body);
        const theirs = data.map((bank) => bank.financial_institution_code).filter((code) => code !== '0');
        return compareLists([...bankCodes].sort(), theirs.sort());
      },
    },
    {
      about: 'the key that reads transactions',
      request: 'GET /v1/transactions/{id}, with each key',
      ask: async () => {
        const one = await newest();
        if (one === undefined) return unknown(NONE_YET);
        const [open, own] = [
          await get(`/v1/transactions/${one.id}`, publicKey),
          await get(`/v1/transactions/${one.id}`, privateKey),
        ];
        const said = `private ${own.status}, public ${open.status}`;
        return own.status === 200 ? agrees(said) : differs(said);
      },
    },
    {
      about: 'payment_method.extra in lists',
      request: 'GET /v1/transactions?page_size=1',
      ask: async () => {
        const one = await newest();
        if (one === undefined) return unknown(NONE_YET);
        return agrees(
          one.payment_method?.extra === undefined ? 'lists lack it: links are read by id' : 'lists have it',
        );
      },
    },
    {
      about: 'the largest page of a list',
      request: 'GET /v1/transactions?page=1&page_size=200, and 201',
      ask: async () => {
        const sizes = await Promise.all(
          [200, 201].map((size) => get(`/v1/transactions?page=1&page_size=${size}`, privateKey)),
        );
        const said = `200: ${sizes[0]?.status}, 201: ${sizes[1]?.status}`;
        return sizes[0]?.status === 200 ? agrees(said) : differs(said);
      },
    },
  ];
}

function createGet(url: string) {
  const call = createCallHttps(systemClock, { milliseconds: 10_000, bytes: 4 * 1024 * 1024 });
  return async (path: string, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const { status, text } = await call({ url: `${url}${path}`, method: 'GET', headers });
    return { status, body: bodyOf(text) };
  };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What makes a payment. */
export const wompiByHand: readonly ByHand[] = [
  {
    about: 'a reference after DECLINED',
    request: 'POST /v1/transactions by NEQUI 3992222222 in the sandbox, then again with its reference: 422?',
  },
  {
    about: 'when the link of PSE comes',
    request: 'POST /v1/transactions by PSE in the sandbox, then GET /v1/transactions/{id} each 200 ms, 20 times',
  },
];
