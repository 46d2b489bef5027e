import type { simulatePayin as contract } from '#shared/contracts/simulate-payin.ts';
import { mayPayinBecome } from '#shared/domain/payin.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Payment } from '#shared/payment-rail/payment-rail.ts';
import { NOT_NOTIFIED } from '#shared/sandbox/notify-as-provider.ts';

interface Dependencies {
  readonly payins: Pick<Payins, 'find'>;
  /** False when the simulated rail has no such payment. */
  readonly endPayment: (reference: string, status: Payment['status']) => Promise<boolean>;
  /** False when it was not taken. */
  readonly notify: (reference: string) => Promise<boolean>;
}

const NEVER_TAKEN = 'The rail never took this pay-in, so nothing can be paid for it. Create another one.';

export function simulatePayin({ payins, endPayment, notify }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, body }) => {
    const payin = await payins.find(path.payin_id);
    if (payin?.clientId !== clientId) throw new Refusal('PAYIN_NOT_FOUND');
    const { status } = body();
    if (status !== payin.status && !mayPayinBecome(payin.status, status)) throw new Refusal('PAYIN_STATUS_CONFLICT');
    if (!(await endPayment(payin.payinId, status))) throw new Refusal('PAYIN_STATUS_CONFLICT', { detail: NEVER_TAKEN });
    if (!(await notify(payin.payinId))) {
      throw new Refusal('SERVICE_UNAVAILABLE', { detail: NOT_NOTIFIED, retryAfterSeconds: 1 });
    }
    return { body: { id: payin.payinId, status } };
  };
}
