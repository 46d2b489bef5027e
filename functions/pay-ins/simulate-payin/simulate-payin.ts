import { mayPayinBecome } from '#shared/pay-ins/pay-in.ts';
import type { simulatePayin as contract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import type { FindPayin } from '#shared/pay-ins/pay-in-store.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { NOT_NOTIFIED } from '#shared/platform/notify-as-provider.ts';

interface Dependencies {
  readonly findPayin: FindPayin;
  /** False when the simulated rail has no such payment. */
  readonly endPayment: (reference: string, status: Payment['status']) => Promise<boolean>;
  /** False when it was not taken. */
  readonly notify: (reference: string) => Promise<boolean>;
}

const NEVER_TAKEN = 'The rail never took this pay-in, so nothing can be paid for it. Create another one.';

export function simulatePayin({ findPayin, endPayment, notify }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, body }) => {
    const payin = await findPayin(path.payin_id);
    if (payin?.clientId !== clientId) throw new ApiError('PAYIN_NOT_FOUND');
    const { status } = body();
    if (status !== payin.status && !mayPayinBecome(payin.status, status)) throw new ApiError('PAYIN_STATUS_CONFLICT');
    if (!(await endPayment(payin.payinId, status)))
      throw new ApiError('PAYIN_STATUS_CONFLICT', { detail: NEVER_TAKEN });
    if (!(await notify(payin.payinId))) {
      throw new ApiError('SERVICE_UNAVAILABLE', { detail: NOT_NOTIFIED, retryAfterSeconds: 1 });
    }
    return { body: { id: payin.payinId, status } };
  };
}
