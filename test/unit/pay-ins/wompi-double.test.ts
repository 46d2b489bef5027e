import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createWompiDouble, type WompiDoubleOptions } from '#test/doubles/wompi/wompi-double.ts';
import { eventChecksum } from '#test/doubles/wompi/wompi-event.ts';
import { integritySignature } from '#test/doubles/wompi/wompi-order.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function setUp(options: Partial<WompiDoubleOptions> = {}) {
  const clock = fakeClock('2026-11-25T12:00:00.000Z');
  const double = createWompiDouble({ clock, random: clock.random, ...options });
  const { publicKey, privateKey, integritySecret } = double.credentials;
  const ask = (call: string, content?: object, key = privateKey) => {
    const [method = '', path = ''] = call.split(' ');
    const headers = { authorization: `Bearer ${key}`, 'x-merchant-public-key': publicKey };
    const { status, body } = double.answer({ method, path, headers, body: JSON.stringify(content ?? {}) });
    return { status, ...JSON.parse(body) };
  };
  const accept = () => {
    const { data } = ask('GET /v1/merchants/info');
    const [acceptance, personal] = [data.presigned_acceptance, data.presigned_personal_data_auth];
    return { acceptance_token: acceptance.acceptance_token, accept_personal_auth: personal.acceptance_token };
  };
  const bank = { financial_institution_code: '1', user_legal_id: '1020304050', user_legal_id_type: 'CC', user_type: 0 };
  const pse = {
    ...{ amount_in_cents: 15_000_000, currency: 'COP', customer_email: 'ana@example.co', reference: 'payin-1' },
    customer_data: { full_name: 'Ana Pérez', phone_number: '573001234567' },
    payment_method: { type: 'PSE', payment_description: 'Recarga', ...bank },
    signature: sha256(`payin-115000000COP${integritySecret}`),
  };
  return { clock, double, ask, accept, pse, publicKey };
}

describe('The double of Wompi signs', () => {
  test('an order as the vector of the documentation, and its expiration with it', () => {
    const order = { reference: 'sk8-438k4-xmxm392-sn2m', amount_in_cents: 2_490_000, currency: 'COP' } as const;
    const secret = 'prod_integrity_Z5mMke9x0k8gpErbDqwrJXMqsI6SFli6';
    expect(integritySignature(order, secret)).toBe('37c8407747e595535433ef8f6a811d853cd943046624a0ec04662b17bbf33bf5');
    const expiring = { ...order, expiration_time: '2026-12-01T15:00:00.000Z' };
    expect(integritySignature(expiring, 's')).toBe(sha256('sk8-438k4-xmxm392-sn2m2490000COP2026-12-01T15:00:00.000Zs'));
  });

  test('an event as the vector of the documentation, whose own print of it is wrong', () => {
    const transaction = { id: '1234-1610641025-49201', status: 'APPROVED', amount_in_cents: 4_490_000 };
    const properties = ['transaction.id', 'transaction.status', 'transaction.amount_in_cents'];
    const secret = 'prod_events_OcHnIzeBl5socpwByQ4hA52Em3USQ93Z';
    expect(eventChecksum({ transaction }, properties, 1_530_291_411, secret)).toBe(
      '5a18ec5e8fdb7df463e9f94774cba8f583ba21bd04a09ceff2ea68a4bc0aefbe',
    );
  });

  test('an event over the properties that it names, in body and header', () => {
    const { double, ask, accept, pse } = setUp();
    ask('POST /v1/transactions', { ...pse, ...accept() });
    const properties = ['transaction.reference', 'transaction.status'];
    const { headers, body } = double.event('payin-1', { properties, isUpperCase: true, timestamp: 7 });
    const checksum = sha256(`payin-1PENDING7${double.credentials.eventsSecret}`).toUpperCase();
    expect(headers['x-event-checksum']).toBe(checksum);
    expect(JSON.parse(body)).toMatchObject({ signature: { properties, checksum }, environment: 'test', timestamp: 7 });
  });
});

describe('The double of Wompi', () => {
  test('takes an order, whose link comes later with the outcome, and notifies of it', () => {
    const events: string[] = [];
    const { clock, ask, accept, pse } = setUp({ notify: async ({ body }) => events.push(body) > 0 });
    const { status, data } = ask('POST /v1/transactions', { ...pse, ...accept() });
    expect([status, data.status, data.payment_method.extra]).toEqual([201, 'PENDING', undefined]);
    clock.advance(1);
    const later = ask(`GET /v1/transactions/${data.id}`).data;
    expect(later.status).toBe('APPROVED');
    expect(later.payment_method.extra.async_payment_url).toContain('pse/redirect');
    expect(events.map((event) => JSON.parse(event).data.transaction.status)).toEqual(['APPROVED']);
    expect(ask('GET /v1/transactions?reference=payin-1').data).toHaveLength(1);
  });

  test('refuses a reference, an acceptance or a signature that it must not take', () => {
    const { clock, ask, accept, pse } = setUp();
    const [used, late] = [accept(), accept()];
    expect(ask('POST /v1/transactions', { ...pse, ...used }).status).toBe(201);
    const messages = (changed: object) => ask('POST /v1/transactions', { ...pse, ...changed }).error.messages;
    expect(messages(accept())).toEqual({ reference: ['La referencia ya ha sido usada'] });
    expect(messages({ ...used, reference: 'b' })).toEqual({
      acceptance_token: ['El token de aceptación ya fue usado'],
    });
    expect(messages({ ...accept(), signature: pse.signature.toUpperCase() })).toHaveProperty('signature');
    expect(messages({ ...accept(), amount_in_cents: 15_000_001 })).toHaveProperty('signature');
    expect(messages({ ...accept(), customer_data: {} })).toHaveProperty('customer_data.full_name');
    clock.advance(3600);
    expect(messages(late)).toHaveProperty('acceptance_token');
  });

  test('shows payments to the private key of its environment alone', () => {
    const { ask, accept, pse, publicKey } = setUp();
    const { id } = ask('POST /v1/transactions', { ...pse, ...accept() }).data;
    const statusFor = (call: string, key: string) => ask(call, {}, key).status;
    expect(statusFor(`GET /v1/transactions/${id}`, publicKey)).toBe(404);
    expect(statusFor('GET /v1/transactions?reference=payin-1', publicKey)).toBe(403);
    expect(statusFor(`GET /v1/transactions/${id}`, 'prv_prod_0')).toBe(401);
    expect(statusFor(`GET /v1/transactions/${id}`, 'prv_test_0')).toBe(403);
  });

  test('carries a call out, or not, before it spoils the answer', () => {
    const { double, ask, accept, pse } = setUp();
    const send = () => {
      const body = JSON.stringify({ ...pse, ...accept() });
      const headers = { authorization: `Bearer ${double.credentials.privateKey}` };
      return double.answer({ method: 'POST', path: '/v1/transactions', headers, body });
    };
    double.fail({ kind: 'BROKEN', call: 'POST' });
    expect([send().status, double.payment('payin-1')]).toEqual([500, undefined]);
    double.fail({ kind: 'CUT_OFF', call: 'POST' });
    expect(send().isCutOff).toBe(true);
    expect(ask('GET /v1/transactions?reference=payin-1').data).toHaveLength(1);
    expect(double.countOf('POST /v1/transactions')).toBe(2);
  });
});
