import { onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { createAcceptances, createPrepareAtWompi } from '#shared/pay-ins/rails/wompi/wompi-acceptances.ts';
import { createWithWompi } from '#shared/pay-ins/rails/wompi/wompi-client.ts';
import { createReadWompiNotification } from '#shared/pay-ins/rails/wompi/wompi-notifications.ts';
import { centsOf, createOrderAtWompi } from '#shared/pay-ins/rails/wompi/wompi-order.ts';
import {
  createFindAtWompi,
  createListAtWompi,
  createListBanksAtWompi,
} from '#shared/pay-ins/rails/wompi/wompi-payments.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { startWompiDouble } from '#test/doubles/wompi/start-wompi-double.ts';
import { eventChecksum, type WompiEvent } from '#test/doubles/wompi/wompi-event.ts';
import { startServer } from '#test/support/faulty-server.ts';
import type { Notification, RailFixture } from './rail-fixture.ts';

type Credentials = Awaited<ReturnType<typeof startWompiDouble>>['credentials'];

const decisions = { PENDING: 'ERROR', COMPLETED: 'APPROVED', FAILED: 'DECLINED', EXPIRED: 'ERROR' } as const;

/** Wompi's rail with these keys, as functions make it from their settings. */
export function wompiAt(url: string, { eventsSecret, ...keys }: Credentials, clock: Clock) {
  const server = { url, isTest: true };
  const withWompi = createWithWompi({ server, keys: { use: (ask) => ask(keys) }, clock, milliseconds: 3000 });
  const acceptances = createAcceptances(clock);
  return {
    prepare: createPrepareAtWompi(withWompi, acceptances),
    order: createOrderAtWompi(withWompi, acceptances),
    find: createFindAtWompi(withWompi, clock),
    listPayments: createListAtWompi(withWompi),
    listBanks: createListBanksAtWompi(withWompi),
    readNotification: createReadWompiNotification({ server, eventsSecret: { use: (read) => read(eventsSecret) } }),
  };
}

function received({ headers, body }: WompiEvent): Notification {
  return { rawBody: Buffer.from(body), headers: new Map(Object.entries(headers)), query: {} };
}

const event = z.looseObject({ data: z.looseObject({ transaction: z.looseObject({}) }), timestamp: z.number() });

const list = z.object({ data: z.array(z.unknown()) });

/** Wompi, played by its double. */
export const wompiFixture: RailFixture = {
  name: 'wompi',
  cannot: {},
  start: async (clock) => {
    const double = await startWompiDouble({ clock, random: clock.random, outcomes: 'BY_HAND' });
    onTestFinished(double.stop);
    const { credentials } = double;
    const at = (url: string) => wompiAt(url, credentials, clock);
    const signed = (body: object, secret: string) => {
      const { data, timestamp } = event.parse(body);
      const properties = ['transaction.id', 'transaction.status'];
      const checksum = eventChecksum(data, properties, timestamp, secret);
      const text = JSON.stringify({ ...body, signature: { properties, checksum } });
      return received({ headers: { 'x-event-checksum': checksum }, body: text });
    };
    return {
      rail: () => at(double.url),
      at,
      changed: async (change) =>
        at(
          await startServer((response, { method = '', url: path = '', headers }) => {
            const { status, body } = double.answer({ method, path, headers, body: '' });
            response.writeHead(status).end(JSON.stringify(change(JSON.parse(body))));
          }),
        ),
      secrets: Object.values(credentials),
      of: { bank: '1' },
      unanswered: () => {
        double.fail({ kind: 'CUT_OFF', call: 'POST /v1/transactions' });
        return {};
      },
      refused: { payer: { documentType: 'PP' } },
      count: () => {
        const path = '/v1/transactions?from_date=2000-01-01&until_date=2100-01-01&page=1&page_size=200';
        const headers = { authorization: `Bearer ${credentials.privateKey}` };
        return list.parse(JSON.parse(double.answer({ method: 'GET', path, headers, body: '' }).body)).data.length;
      },
      become: async (reference, { status, amount }) =>
        double.decide(reference, { status: decisions[status], amountInCents: Number(centsOf(amount)) }),
      takeBack: async (reference) => double.decide(reference, { status: 'VOIDED' }),
      notifications: async (reference) => {
        const ours = double.event(reference, { isUpperCase: true });
        const others = { ...JSON.parse(ours.body), event: 'nequi_token.updated' };
        return { ours: received(ours), others: signed(others, credentials.eventsSecret) };
      },
      forged: ({ rawBody, headers }) => {
        const genuine = JSON.parse(String(rawBody));
        const { transaction } = genuine.data;
        const withStatus = (status: unknown) => ({ ...genuine, data: { transaction: { ...transaction, status } } });
        const unsigned = (body: object) => ({ rawBody: Buffer.from(JSON.stringify(body)), headers, query: {} });
        return [
          signed(genuine, 'test_events_of_another_merchant'),
          signed({ ...genuine, environment: 'prod' }, credentials.eventsSecret),
          unsigned(withStatus('DECLINED')),
          unsigned(withStatus({})),
          unsigned({ ...genuine, timestamp: genuine.timestamp + 1 }),
          unsigned({ ...genuine, signature: { ...genuine.signature, properties: ['transaction.nothing'] } }),
          unsigned({ ...genuine, signature: { ...genuine.signature, properties: [] } }),
          { rawBody, headers: new Map([['x-event-checksum', 'a'.repeat(64)]]), query: {} },
        ];
      },
    };
  },
};
