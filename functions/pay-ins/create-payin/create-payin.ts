import { clientErrors } from '#shared/clients/client-errors.ts';
import { refuseIfClosed } from '#shared/clients/closed-user.ts';
import type { CountCall } from '#shared/clients/daily-allowances.ts';
import type { User } from '#shared/clients/user.ts';
import type { FindUser } from '#shared/clients/user-repository.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { type createPayinContract, describePayin } from '#shared/pay-ins/pay-in-contract.ts';
import type { PayinStore } from '#shared/pay-ins/pay-in-repository.ts';
import { type PaymentMethod, paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, dailyLimitReached } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { RunIdempotently } from '#shared/platform/http/idempotency.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ProviderSimulated } from '#shared/platform/retry.ts';
import { type CheckedOrder, checkOrder, type OrderRules } from './check-order.ts';
import { type OrderDependencies, orderPayin } from './order-pay-in.ts';

interface Dependencies extends OrderRules, OrderDependencies {
  readonly findUser: FindUser;
  /** In production without the methods of a simulated rail, which collects no money. */
  readonly acceptedMethods: readonly PaymentMethod[];
  readonly countCall: CountCall;
  readonly payins: OrderDependencies['payins'] & Pick<PayinStore, 'create'>;
  readonly runIdempotently: RunIdempotently;
  readonly clock: Clock;
}

const NO_RAIL =
  'Pay-ins by this method cannot be created here yet: no payment rail collects them. Nothing was created.';

export function createPayin(deps: Dependencies): UseCase<typeof createPayinContract> {
  return async (call) => {
    const user = await deps.findUser(call.clientId, call.path.user_id);
    if (user === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const body = call.body();
    const answer = await deps.runIdempotently(call, body, async (payinId, isFirstTry) => {
      const made = isFirstTry ? undefined : await deps.payins.find(payinId);
      if (made !== undefined) return describePayin(await orderPayin(deps, made, user));
      refuseIfClosed(user);
      const order = await checkOrder(deps, body, user);
      if (!deps.acceptedMethods.includes(order.paymentMethod))
        throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { detail: NO_RAIL, cause: new ProviderSimulated() });
      // The first try has already counted the order of a repeat.
      if (isFirstTry && !(await deps.countCall(call.clientId))) throw dailyLimitReached(deps.clock.now());
      const payin = await insert(deps, newPayin(payinId, user, order, deps.clock.now()));
      return describePayin(await orderPayin(deps, payin, user));
    });
    return { ...answer, ids: { payinId: answer.body.id } };
  };
}

/**
 * Stores the pay-in before the rail is called: its id is the reference, by which the payment can always be looked up.
 */
async function insert({ payins, clock }: Dependencies, payin: Payin): Promise<Payin> {
  if (await retryOnConflict(clock, () => payins.create(payin))) return payin;
  return (await payins.find(payin.payinId)) ?? payin;
}

function newPayin(payinId: string, user: User, order: CheckedOrder, now: Date): Payin {
  const createdAt = now.toISOString();
  const status = paymentMethods[order.paymentMethod].firstStatus;
  return {
    ...order,
    payinId,
    clientId: user.clientId,
    userId: user.userId,
    status,
    sequence: 1,
    createdAt,
    statusHistory: [{ status, at: createdAt }],
  };
}
