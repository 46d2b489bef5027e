import { createPayin } from '#functions/pay-ins/create-payin/create-payin.ts';
import { settleOpenPayins } from '#functions/pay-ins/settle-open-payins/settle-open-payins.ts';
import type { User } from '#shared/clients/user.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { paymentMethod, paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import type { RailMethods } from '#shared/pay-ins/rails/payment-rail.ts';
import { methodsByRail } from '#shared/pay-ins/rails/payment-rails.ts';
import { createFindPayment } from '#shared/pay-ins/rails/rail-boundary.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { mapValues } from '#shared/platform/collections.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { allowancesInMemory } from './allowances-in-memory.ts';
import { fakeClock } from './fake-clock.ts';
import { httpRequest } from './http-request.ts';
import { idempotencyRecordsInMemory } from './idempotency-records-in-memory.ts';
import { CLIENT, USER } from './ids.ts';
import { CREATED_AT } from './off-ramp.ts';
import { payinsInMemory } from './pay-ins-in-memory.ts';
import { railInMemory } from './rail-in-memory.ts';

const idOf = (place: number) => `55555555-5555-4555-8555-${String(place).padStart(12, '0')}`;

export const FIRST_PAYIN = idOf(1);

export const PSE_ORDER = { amount: 150_000.5, currency: 'COP', bank: '1007' };
export const NEQUI_ORDER = { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' };

const bounds = { minimum: 1500, maximum: 50_000_000 };

type Payins = ReturnType<typeof payinsInMemory>;

/**
 * The creation of pay-ins, the sweep and a rail, on a table in memory. The first pay-in that is created has the id
 * `FIRST_PAYIN`. A test may replace methods of the repository, to see what happens when they fail.
 */
export function payinWorld(
  replace: (payins: Payins) => Partial<Payins> = () => ({}),
  acceptedMethods = paymentMethod.options,
  mostPerDay = 1000,
) {
  const clock = fakeClock(CREATED_AT);
  const table = payinsInMemory();
  const payins = { ...table, ...replace(table) };
  const rail = railInMemory();
  const allowances = allowancesInMemory(clock, 'payIns', mostPerDay);
  const banks = new Set(['1007']);
  const users = new Map<string, User>([[USER, { userId: USER, clientId: CLIENT }]]);
  const findPayment = createFindPayment(new Map([['simulated', { find: (sought) => rail.find(sought) }]]), clock);
  const settlePayin = createSettlePayin(payins, findPayment, clock);
  /** The methods of each rail, which a test may replace. */
  const methods: Record<string, RailMethods> = { ...methodsByRail };
  let ids = 0;
  const useCase = createPayin({
    findUser: async (clientId, userId) => {
      const user = users.get(userId);
      return user?.clientId === clientId ? user : undefined;
    },
    acceptedMethods,
    methodsByRail: methods,
    railByMethod: mapValues(paymentMethods, () => 'simulated'),
    countCall: allowances.countCall,
    payins,
    prepareOrder: () => rail.prepare(),
    orderPayment: (order) => rail.order(order),
    findPayment,
    settlePayin,
    bounds: mapValues(paymentMethods, () => bounds),
    isActiveBank: async (code) => banks.has(code),
    allowsHttpRedirect: false,
    runIdempotently: createRunIdempotently(idempotencyRecordsInMemory(), clock, () => {
      ids += 1;
      return idOf(ids);
    }),
    clock,
  });
  const post = (body: unknown = PSE_ORDER, key?: string, userId = USER) => {
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
    return useCase({
      clientId: CLIENT,
      path: { user_id: userId },
      query: () => undefined,
      body: () => validate(createPayinContract.body, body, 'body'),
      http: httpRequest('', headers),
    });
  };
  const sweep = settleOpenPayins({
    payins,
    unreadable: table.unreadableAt(clock),
    listClientIds: async () => [CLIENT],
    findPayment,
    settlePayin,
    clock,
  });
  const stored = (payinId = FIRST_PAYIN) => table.kept.get(payinId);
  const world = { clock, table, allowances, payins, rail, methods, banks, users };
  return { ...world, findPayment, settlePayin, post, sweep, stored };
}
