import { createHash } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { PaymentUnreadable, RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { methodsByRail } from '#shared/pay-ins/rails/payment-rails.ts';
import { createFindPayment, createListPayments } from '#shared/pay-ins/rails/rail-boundary.ts';
import { wompiRail } from '#shared/pay-ins/rails/wompi/wompi-deployment.ts';
import {
  createReadWompiNotification,
  createWompiNotifications,
  readEventsSecret,
} from '#shared/pay-ins/rails/wompi/wompi-notifications.ts';
import { centsOf, integritySignature } from '#shared/pay-ins/rails/wompi/wompi-order.ts';
import { wompiRailAdapter } from '#shared/pay-ins/rails/wompi/wompi-rail.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { createSecret } from '#shared/platform/aws/secrets.ts';
import { startWompiDouble } from '#test/doubles/wompi/start-wompi-double.ts';
import type { WompiDoubleOptions } from '#test/doubles/wompi/wompi-double.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { startServer } from '#test/support/faulty-server.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { FIRST_PAYIN, PSE_ORDER, payinWorld } from '#test/support/pay-in-world.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { wompiAt } from '#test/support/rails/wompi-fixture.ts';

const payer = {
  ...{ fullName: 'Ana Gómez', email: 'ana@example.com', phone: '3001234567', personType: 'NATURAL' },
  ...{ documentType: 'CC', documentNumber: '1020304050' },
};

const wompiPayin = (differences: Partial<Payin> = {}) => payinOf({ rail: 'wompi', bank: '1', ...differences });

async function world(options: Partial<WompiDoubleOptions> = {}, changed: Record<string, string> = {}) {
  const clock = fakeClock(CREATED_AT);
  const double = await startWompiDouble({ clock, random: clock.random, outcomes: 'BY_HAND', ...options });
  onTestFinished(double.stop);
  const rail = wompiAt(double.url, { ...double.credentials, ...changed }, clock);
  const order = async (differences: Partial<Payin> = {}, ofPayer: object = {}) =>
    rail.order({
      payin: wompiPayin(differences),
      payer: { ...payer, ...ofPayer },
      prepared: await rail.prepare(),
    });
  return { clock, double, rail, order };
}

/** A Wompi that answers look-ups by their path and query. */
async function answering(answers: (call: string) => unknown) {
  const calls: string[] = [];
  const url = await startServer((response, { url: call = '' }) => {
    calls.push(call);
    const said = answers(call);
    response.writeHead(200).end(typeof said === 'string' ? said : JSON.stringify({ data: said }));
  });
  const clock = fakeClock(CREATED_AT);
  const keys = { publicKey: 'pub_test_1', privateKey: 'prv_test_1', integritySecret: 'test_integrity_1' };
  const rail = wompiAt(url, { ...keys, eventsSecret: 'test_events_1' }, clock);
  const rails = new Map([['wompi', rail]]);
  return { calls, clock, find: createFindPayment(rails, clock), list: createListPayments(rail, clock), rail };
}

const transaction = (id: string, differences: object = {}) => ({
  ...{ id, reference: PAYIN, status: 'PENDING', amount_in_cents: 15_000_050, currency: 'COP' },
  ...{ created_at: '2026-08-01T12:00:00.000Z', ...differences },
});

describe('Wompi, Widget and checkout: the signature of an order', () => {
  test('is that of the documentation', () => {
    const signed = { reference: 'sk8-438k4-xmxm392-sn2m', amountInCents: '2490000', currency: 'COP' };
    const secret = 'prod_integrity_Z5mMke9x0k8gpErbDqwrJXMqsI6SFli6';
    expect(integritySignature(signed, secret)).toBe('37c8407747e595535433ef8f6a811d853cd943046624a0ec04662b17bbf33bf5');
  });

  test.each([
    ['1500', '150000'],
    ['0.5', '50'],
    ['1500.01', '150001'],
    ['50000000', '5000000000'],
  ])('%s pesos are %s cents', (pesos, cents) => {
    expect(centsOf(pesos)).toBe(cents);
  });
});

describe('what Wompi is ordered', () => {
  test('by PSE: the bank and the payer, where the payer returns, and until when, in UTC as it is signed', async () => {
    const { double, order } = await world();
    await order({ redirectUrl: 'https://client.example/paid', expirationDate: '2026-08-02T07:00:00-05:00' });
    expect(double.payment(PAYIN)).toMatchObject({
      reference: PAYIN,
      amount_in_cents: 15_000_050,
      customer_email: 'ana@example.com',
      redirect_url: 'https://client.example/paid',
      customer_data: { full_name: 'Ana Gómez', phone_number: '573001234567' },
      payment_method: {
        ...{ type: 'PSE', user_type: 0, user_legal_id_type: 'CC', user_legal_id: '1020304050' },
        ...{ financial_institution_code: '1', payment_description: 'Pago 55555555' },
      },
    });
  });

  test('by the wallets: the phone alone, or the document alone', async () => {
    const { double, order } = await world();
    await order({ paymentMethod: 'NEQUI', phone: '3107654321' });
    expect(double.payment(PAYIN)?.payment_method).toEqual({ type: 'NEQUI', phone_number: '3107654321' });
    const payinId = PAYIN.replace('5', '6');
    await order({ payinId, paymentMethod: 'DAVIPLATA', phone: '3107654321' }, { personType: 'LEGAL' });
    const document = { user_legal_id_type: 'CC', user_legal_id: '1020304050', payment_description: 'Pago 65555555' };
    expect(double.payment(payinId)?.payment_method).toEqual({ type: 'DAVIPLATA', ...document });
  });

  test('data of the payer that was erased since is not made up: nothing is sent', async () => {
    const { double, order } = await world();
    await expect(order({}, { email: undefined })).rejects.toThrow(RailUnavailable);
    expect(double.countOf('POST /v1/transactions')).toBe(0);
  });

  test('a refusal is in Wompi’s words, each with its field', async () => {
    const { order } = await world();
    const failure = await order({ bank: '7777' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RailRejected);
    expect(Object(failure).message).toBe('payment_method: Formato inválido');
  });

  test.each([[undefined], [7]])(
    'too many requests are a pause for all look-ups, also where Wompi names none: %s',
    async (retryAfter) => {
      const { double, rail } = await world();
      double.fail({ kind: 'TOO_MANY', ...(retryAfter !== undefined && { retryAfter }) });
      const failure: unknown = await rail
        .find({ reference: PAYIN, orderedAt: CREATED_AT })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RailUnavailable);
      expect(failure).toMatchObject({ retryAfter: retryAfter ?? 60 });
    },
  );

  test('a signature that Wompi refuses is our fault, and no end of the pay-in', async () => {
    const { order } = await world({}, { integritySecret: 'test_integrity_old' });
    await expect(order()).rejects.toThrow('Wompi refuses signature.');
  });
});

describe('decisions 12: the acceptance tokens of Wompi', () => {
  const ids = [PAYIN, PAYIN.replace('5', '6'), PAYIN.replace('5', '7')];

  test('are kept until five minutes before their end', async () => {
    const { clock, double, order } = await world({ areAcceptancesKept: true });
    const asked = () => double.countOf('GET /v1/merchants/info');
    await order({ payinId: ids[0] ?? '' });
    clock.advance(3600 - 301);
    await order({ payinId: ids[1] ?? '' });
    expect(asked()).toBe(1);
    clock.advance(2);
    await order({ payinId: ids[2] ?? '' });
    expect(asked()).toBe(2);
  });

  test('are renewed within the order that Wompi refuses because of them, and from then on by each order', async () => {
    const { double, order } = await world();
    for (const payinId of ids) expect(await order({ payinId })).toMatchObject({ status: 'PENDING' });
    expect([double.countOf('POST /v1/transactions'), double.countOf('GET /v1/merchants/info')]).toEqual([4, 3]);
  });

  test('of other contracts than the pay-in has stored are not used', async () => {
    const { rail } = await world();
    const prepared = await rail.prepare();
    const stored = { ...prepared, acceptanceTokens: ['old', 'old'], acceptedTerms: [] };
    const ordering = rail.order({ payin: wompiPayin(), payer, prepared: stored });
    await expect(ordering).rejects.toThrow('The contracts of Wompi have changed since the order was prepared.');
  });

  test('are good for one order, by their links alone, where they do not say what they are', async () => {
    const terms = (name: string) => ({ acceptance_token: name, permalink: `https://wompi.example/${name}.pdf` });
    const merchant = { presigned_acceptance: terms('terms'), presigned_personal_data_auth: terms('data') };
    const { calls, rail } = await answering(() => merchant);
    const acceptedTerms = ['terms', 'data'].map((name) => ({ permalink: `https://wompi.example/${name}.pdf` }));
    for (const _ of ids) {
      expect(await rail.prepare()).toEqual({ acceptedTerms, acceptanceTokens: ['terms', 'data'] });
    }
    expect(calls.length).toBe(3);
  });

  test('come by the path of the documentation where a server has only that', async () => {
    const { double, order } = await world({ hasMerchantInfo: false });
    expect(await order()).toMatchObject({ status: 'PENDING' });
    expect(double.countOf('GET /v1/merchants/info')).toBe(0);
  });
});

test('an order that is answered with 200 is taken', async () => {
  const { rail } = await answering(() => transaction('1-1'));
  const prepared = { acceptedTerms: [], acceptanceTokens: ['terms', 'data'] };
  expect(await rail.order({ payin: wompiPayin(), payer, prepared })).toMatchObject({ railPaymentId: '1-1' });
});

describe('keys', () => {
  test.each([
    ['publicKey', 'pub_prod_1', 'public key'],
    ['privateKey', 'prv_prod_1', 'private key'],
    ['integritySecret', 'prod_integrity_1', 'integrity secret'],
  ])('a %s of the other environment is unavailable in one sentence, and nothing is sent', async (key, value, name) => {
    const { double, rail } = await world({}, { [key]: value });
    const sentence = new RegExp(
      `^The ${name} of Wompi does not belong to the environment of the stage, [^.]+ \\w+\\.$`,
    );
    for (const asked of [() => rail.prepare(), () => rail.find({ reference: PAYIN, orderedAt: CREATED_AT })]) {
      await expect(asked()).rejects.toThrow(sentence);
    }
    expect([double.countOf('GET /v1/merchants/info'), double.countOf('GET /v1/transactions')]).toEqual([0, 0]);
  });

  test('an events secret of the other environment is unavailable, and no forgery', async () => {
    const { double, rail, order } = await world({}, { eventsSecret: 'prod_events_1' });
    await order();
    const { headers, body } = double.event(PAYIN);
    const reading = rail.readNotification({
      rawBody: Buffer.from(body),
      headers: new Map(Object.entries(headers)),
      query: {},
    });
    await expect(reading).rejects.toThrow(RailUnavailable);
  });

  test.each(['{"eventsSecret":"test_events_1"}', ' test_events_1\n'])('%j is a secret of events', (text) => {
    expect(readEventsSecret(text)).toBe('test_events_1');
  });
});

describe('Wompi, Events', () => {
  const secret = 'prod_events_OcHnIzeBl5socpwByQ4hA52Em3USQ93Z';

  /** The event of the documentation, with what else is given; its numbers are as they are written. */
  const event = (checksum: string, amount = '4490000', properties = ['id', 'status', 'amount_in_cents']) =>
    Buffer.from(`{"event":"transaction.updated","data":{"transaction":{"id":"1234-1610641025-49201","amount_in_cents":${amount},
      "reference":"payin-1","status":"APPROVED"}},"environment":"prod","signature":{"properties":${JSON.stringify(
        properties.map((name) => `transaction.${name}`),
      )},"checksum":"${checksum}"},"timestamp":1530291411,"sent_at":"2018-07-20T16:45:05.000Z"}`);

  function reader(stored: readonly string[] = [secret]) {
    const clock = fakeClock(CREATED_AT);
    const secretsManager = new SecretsManagerClient({});
    const texts = [...stored];
    const send = vi.spyOn(secretsManager, 'send').mockImplementation(async () => ({ SecretString: texts.shift() }));
    const eventsSecret = createSecret({ secretsManager, clock }, 'events', readEventsSecret);
    const read = createReadWompiNotification({ server: { url: '', isTest: false }, eventsSecret });
    return { clock, send, read: (rawBody: Buffer) => read({ rawBody, headers: new Map(), query: {} }) };
  }

  test('one with the checksum of the documentation is genuine, in either case', async () => {
    const checksum = '5a18ec5e8fdb7df463e9f94774cba8f583ba21bd04a09ceff2ea68a4bc0aefbe';
    for (const one of [checksum, checksum.toUpperCase()]) expect(await reader().read(event(one))).toEqual(['payin-1']);
  });

  test('what is signed is named by the event, in its order, and numbers count as they are written', async () => {
    const checksum = createHash('sha256').update(`APPROVED4490000.001530291411${secret}`).digest('hex');
    const signed = ['status', 'amount_in_cents'];
    expect(await reader().read(event(checksum, '4490000.00', signed))).toEqual(['payin-1']);
    await expect(reader().read(event(checksum, '4490000', signed))).rejects.toThrow(BadSignature);
  });

  test('one that says to have signed more values than Wompi signs is none: their text could be of any length', async () => {
    const signed = (most: number) => Array<string>(most).fill('amount_in_cents');
    const checksum = (most: number) =>
      createHash('sha256')
        .update(`${'4490000'.repeat(most)}1530291411${secret}`)
        .digest('hex');
    expect(await reader().read(event(checksum(20), '4490000', signed(20)))).toEqual(['payin-1']);
    await expect(reader().read(event(checksum(21), '4490000', signed(21)))).rejects.toThrow(BadSignature);
  });

  test('a secret that was renewed is read again, once in ten seconds, before an event counts as forged', async () => {
    const checksum = '5a18ec5e8fdb7df463e9f94774cba8f583ba21bd04a09ceff2ea68a4bc0aefbe';
    const { read, clock, send } = reader(['prod_events_old', secret]);
    await expect(read(event('a'.repeat(64)))).rejects.toThrow(BadSignature);
    clock.advance(11);
    expect(await read(event(checksum))).toEqual(['payin-1']);
    await expect(read(event('a'.repeat(64)))).rejects.toThrow(BadSignature);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('a secret that cannot be read makes none forged', async () => {
    await expect(reader([]).read(event('a'.repeat(64)))).rejects.toThrow(RailUnavailable);
  });
});

describe('a look-up', () => {
  test('of several payments with one reference takes the one that is paid, else the newest, and calls somebody if two may be paid', async () => {
    const lines = captureLogs();
    // After one that has failed Wompi's page lets the payer try again, with the same reference.
    const all = [
      transaction('1', { status: 'ERROR' }),
      transaction('2', { status: 'DECLINED', created_at: '2026-08-01T12:00:01.000Z', status_message: 'Sin\tfondos' }),
      transaction('3', { status: 'APPROVED', finalized_at: '2026-08-01T12:00:02.000Z' }),
    ];
    const found = async (some: readonly { readonly id: string }[], railPaymentId?: string) => {
      const { find } = await answering((call) =>
        call.includes('?') ? some : some.find(({ id }) => call === `/v1/transactions/${id}`),
      );
      return await find(wompiPayin({ ...(railPaymentId && { railPaymentId }) }));
    };
    const paid = { railPaymentId: '3', status: 'COMPLETED', paidAt: '2026-08-01T12:00:02.000Z' };
    expect(await found(all)).toMatchObject(paid);
    expect(await found(all.slice(0, 2))).toMatchObject({ railPaymentId: '2', failureReason: 'Sin\tfondos' });
    // The payment wins also when the look-up knows the id of the one that failed.
    expect([await found(all, '2'), await found(all, '3')]).toMatchObject([paid, paid]);
    const taken = [
      transaction('5', { status: 'VOIDED' }),
      transaction('6', { created_at: '2026-08-01T12:00:03.000Z' }),
    ];
    expect(await found(taken, '5')).toMatchObject({ railPaymentId: '5', status: 'FAILED' });
    expect(lines).toEqual([]);
    expect(await found([...all, transaction('4', { status: 'PENDING' })])).toMatchObject(paid);
    const told = { level: 'error', code: 'REFERENCE_USED_TWICE', fields: { payinId: PAYIN, rail: 'wompi' } };
    expect(lines).toMatchObject([told]);
  });

  test.each([
    ['APPROVED', '2'],
    ['DECLINED', '1'],
  ])(
    'of one that stays open finds another one of its reference that is paid, after an hour: %s',
    async (status, id) => {
      const all = [transaction('1'), transaction('2', { status, created_at: '2026-08-01T12:01:00.000Z' })];
      const { find, clock } = await answering((call) =>
        call.includes('?') ? all : all.find((one) => call === `/v1/transactions/${one.id}`),
      );
      const found = async () => (await find(wompiPayin({ railPaymentId: '1' })))?.railPaymentId;
      clock.advance(3599);
      expect(await found()).toBe('1');
      clock.advance(1);
      expect(await found()).toBe(id);
    },
  );

  test('of a reference reads its list to the end, and none that does not end', async () => {
    const full = Array.from({ length: 200 }, (_, number) => transaction(`1${number}`, { status: 'DECLINED' }));
    const paid = transaction('3', { status: 'APPROVED' });
    const findWith = async (pages: number) => {
      const { find } = await answering((call) => {
        if (!call.includes('?')) return paid;
        return Number(new URL(call, 'http://wompi').searchParams.get('page')) < pages ? full : [paid];
      });
      return find(wompiPayin());
    };
    expect(await findWith(5)).toMatchObject({ railPaymentId: '3', status: 'COMPLETED' });
    await expect(findWith(6)).rejects.toThrow(PaymentUnreadable);
  });

  test('by an id has another transaction as unreadable, also one of its reference', async () => {
    const { find } = await answering(() => transaction('2', { status: 'APPROVED' }));
    await expect(find(wompiPayin({ railPaymentId: '1' }))).rejects.toThrow(PaymentUnreadable);
  });

  test('by an id that Wompi does not have any more takes its reference, and has none of either, or a failed one, as unreadable, after an hour', async () => {
    const { double, clock, rail, order } = await world();
    await order();
    const find = (railPaymentId: string, reference = PAYIN) =>
      rail.find({ reference, railPaymentId, orderedAt: CREATED_AT });
    await expect(find('0-0')).rejects.toThrow('Wompi answers 404.');
    clock.advance(3600);
    expect(await find('0-0')).toMatchObject({ railPaymentId: double.payment(PAYIN)?.id });
    await expect(find('0-0', USER)).rejects.toThrow(PaymentUnreadable);
    const orderedAgain = {
      reference: USER,
      railPaymentId: '0-0',
      orderedAt: CREATED_AT,
      lastOrderedAt: clock.now().toISOString(),
    };
    await expect(rail.find(orderedAgain)).rejects.toThrow('Wompi answers 404.');
    double.decide(PAYIN, { status: 'DECLINED' });
    await expect(find('0-0')).rejects.toThrow(PaymentUnreadable);
  });

  test.each(['15000050.5', '-15000050', '1.500005e7', '"15 000"', 'null', '{}'])(
    'has %s cents as unreadable',
    async (cents) => {
      const text = JSON.stringify({ data: transaction('1') }).replace('15000050', cents);
      const { find } = await answering(() => text);
      await expect(find(wompiPayin({ railPaymentId: '1' }))).rejects.toThrow(PaymentUnreadable);
    },
  );
});

test('a list goes on to an empty page, however few are on one, and asks for a day more on either side', async () => {
  const pages = [[transaction('1')], [transaction('2', { created_at: '2026-08-01T11:59:59.999Z' }), { id: '3' }], []];
  const { list, calls } = await answering((call) => pages[Number(/[?&]page=(\d+)/.exec(call)?.[1]) - 1]);
  const asked = { createdSince: CREATED_AT, until: '2026-08-02T12:00:00.000Z' };
  const first = await list(asked);
  const second = await list({ ...asked, cursor: first.cursor ?? '' });
  const last = await list({ ...asked, cursor: second.cursor ?? '' });
  expect([first, second, last].map(({ payments }) => payments.map(({ reference }) => reference))).toEqual([
    [PAYIN],
    [undefined],
    [],
  ]);
  expect([first.cursor, second.cursor, last.cursor]).toEqual(['2', '3', undefined]);
  expect(calls[0]).toContain('from_date=2026-07-31&until_date=2026-08-03&order_by=created_at&order=ASC');
});

test('the placeholder at the head of the list of banks is no bank', async () => {
  const { rail } = await answering(() => [
    { financial_institution_code: '0', financial_institution_name: 'A continuación seleccione su banco' },
    { financial_institution_code: '1007', financial_institution_name: 'BANCOLOMBIA' },
  ]);
  expect(await rail.listBanks()).toEqual([{ code: '1007', name: 'BANCOLOMBIA' }]);
});

test('a pay-in by PSE gets its link and what was accepted, is completed as Wompi has it, and reversed when it is voided', async () => {
  const { clock, users, banks, methods, rail, post, sweep, stored } = payinWorld();
  const double = await startWompiDouble({ clock, random: clock.random, outcomes: 'BY_HAND' });
  onTestFinished(double.stop);
  Object.assign(rail, wompiAt(double.url, double.credentials, clock));
  methods['simulated'] = methodsByRail.wompi;
  banks.add('1');
  const { phone, ...record } = payer;
  users.set(USER, { userId: USER, clientId: CLIENT, phone, payer: { ...record, acceptedTermsAt: CREATED_AT } });
  const { body } = await post({ ...PSE_ORDER, bank: '1' });
  expect(body).toMatchObject({ status: 'CASHININIT', pseLink: expect.stringContaining('/pse/redirect') });
  const { acceptedTerms = [], railPaymentId } = stored() ?? {};
  const contracts = ['reglamento-usuarios', 'autorizacion-datos'];
  expect(acceptedTerms.map(({ permalink }) => contracts.find((name) => permalink.includes(name)))).toEqual(contracts);
  expect(new Set(acceptedTerms.map(({ fileHash }) => fileHash)).size).toBe(2);
  double.decide(FIRST_PAYIN, { status: 'APPROVED' });
  clock.advance(120);
  await sweep();
  expect(stored()).toMatchObject({ status: 'COMPLETED', railPaymentId, paidAt: expect.any(String) });
  double.decide(FIRST_PAYIN, { status: 'VOIDED', message: 'Anulada' });
  clock.advance(3600);
  captureLogs();
  await sweep();
  expect(stored()).toMatchObject({ status: 'COMPLETED', reversedAt: expect.any(String) });
});

test('a pay-in whose page does not come in time keeps Wompi’s id, by which it is found before Wompi lists it', async () => {
  const { clock, users, banks, methods, rail, post, stored } = payinWorld();
  const double = await startWompiDouble({ clock, random: clock.random, outcomes: 'BY_HAND' });
  onTestFinished(double.stop);
  const wompi = wompiAt(double.url, double.credentials, clock);
  Object.assign(rail, wompi);
  methods['simulated'] = methodsByRail.wompi;
  banks.add('1');
  const { phone, ...record } = payer;
  users.set(USER, { userId: USER, clientId: CLIENT, phone, payer: { ...record, acceptedTermsAt: CREATED_AT } });
  double.lagLists(3600_000);
  rail.find = () => Promise.reject(new RailUnavailable('down'));
  await expect(post({ ...PSE_ORDER, bank: '1' }, 'key')).rejects.toThrow();
  expect(stored()?.railPaymentId).toEqual(expect.any(String));
  Object.assign(rail, wompi);
  clock.advance(10);
  const { body } = await post({ ...PSE_ORDER, bank: '1' }, 'key');
  expect(body).toMatchObject({ pseLink: expect.stringContaining('/pse/redirect') });
  expect(double.countOf('POST /v1/transactions')).toBe(1);
});

test('each member is made of what its deployment names for it, and of nothing else', async () => {
  const { double, clock, order } = await world();
  await order();
  const { eventsSecret, ...keys } = double.credentials;
  const secrets = { WOMPI_KEYS: JSON.stringify(keys), WOMPI_EVENTS: eventsSecret };
  vi.spyOn(SecretsManagerClient.prototype, 'send').mockImplementation(async ({ input }: { input: object }) => ({
    SecretString: Object.entries(secrets).find(([name]) => Object(input).SecretId === `payments/${name}`)?.[1],
  }));
  onTestFinished(() => void vi.restoreAllMocks());
  const { members } = wompiRail({ url: double.url, isTest: true });
  const made = <Member extends keyof typeof members, Made>(member: Member, make: () => Made) => {
    const { environment, secrets: names } = members[member];
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    for (const name of names) vi.stubEnv(name, `payments/${name}`);
    const one = make();
    vi.unstubAllEnvs();
    return one;
  };
  const rail = wompiRailAdapter;
  const find = made('find', () => rail.find(clock));
  expect(await find({ reference: PAYIN, orderedAt: CREATED_AT })).toMatchObject({ reference: PAYIN });
  const list = made('listPayments', () => rail.listPayments(clock));
  expect((await list({ createdSince: CREATED_AT, until: CREATED_AT })).payments).toHaveLength(1);
  expect(await made('listBanks', () => rail.listBanks?.(clock))?.()).toHaveLength(3);
  const prepared = await made('prepare', () => rail.prepare?.(clock))?.();
  const again = made('order', () => rail.order(clock));
  expect(await again({ payin: wompiPayin(), payer, ...(prepared && { prepared }) })).toMatchObject({
    reference: PAYIN,
  });
  const { headers, body } = double.event(PAYIN);
  const read = made('readNotification', () => createWompiNotifications(clock));
  const event = { rawBody: Buffer.from(body), headers: new Map(Object.entries(headers)), query: {} };
  expect(await read(event)).toEqual([PAYIN]);
});
