import type * as z from 'zod/mini';
import { mayPayinBecome, type Payin } from '#shared/pay-ins/pay-in.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import type { FindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { canonicalAmount, decimalPlaces } from '#shared/platform/amount.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { NOT_NOTIFIED } from '#shared/platform/notify-as-provider.ts';

/** The simulated rail's report of a payment. */
type Report = Pick<Payment, 'status' | 'amount'>;

interface Dependencies {
  readonly findPayin: FindPayin;
  /** False if the simulated rail has no such payment. */
  readonly changePayment: (reference: string, report: Report) => Promise<boolean>;
  /** False if the notification was not accepted. */
  readonly notify: (reference: string) => Promise<boolean>;
}

const NEVER_TAKEN = 'The rail never accepted this pay-in, so nothing can be paid for it. Create another one.';
/** A real rail, or its sandbox, sends the notifications of its payments itself. */
const notSimulated = ({ rail }: Payin) =>
  `The rail of this pay-in is ${rail}, which is not simulated here: pay it there, as the user would.`;
const NOT_COMPLETED = 'Money can be taken back only from a COMPLETED pay-in. Complete it first.';

export function simulatePayin({
  findPayin,
  changePayment,
  notify,
}: Dependencies): UseCase<typeof simulatePayinContract> {
  return async ({ clientId, path, body }) => {
    const payin = await findPayin(path.payin_id);
    if (payin?.clientId !== clientId) throw new ApiError(payinErrors.PAYIN_NOT_FOUND);
    const asked = body();
    const { payinId: id } = payin;
    if (payin.rail !== simulatedRail.name) conflict(notSimulated(payin));
    if (!(await changePayment(id, reportOf(payin, asked)))) conflict(NEVER_TAKEN);
    if (!(await notify(id))) {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { detail: NOT_NOTIFIED, retryAfterSeconds: 1 });
    }
    const { status = 'COMPLETED', reversed } = asked;
    return { body: { id, status, ...(reversed !== undefined && { reversed }) } };
  };
}

/** @throws {ApiError} for none or several actions, or one that does not fit the pay-in. */
function reportOf(payin: Payin, { status, paidAmount, reversed }: z.infer<typeof simulatePayinContract.body>): Report {
  const { amount } = payin;
  if ((status === undefined) === (reversed === undefined)) {
    throw invalid({ path: 'body', code: 'INVALID', message: 'must have exactly one of status and reversed' });
  }
  if (paidAmount !== undefined && status !== 'COMPLETED') {
    throw invalid({
      path: 'body.paidAmount',
      code: 'NOT_ALLOWED',
      message: 'is allowed only with the status COMPLETED',
    });
  }
  if (status === undefined) {
    if (payin.status !== 'COMPLETED') conflict(NOT_COMPLETED);
    return { status: reversed ? 'FAILED' : 'COMPLETED', amount };
  }
  if (status !== payin.status && !mayPayinBecome(payin.status, status)) conflict();
  return { status, amount: paidAmount === undefined ? amount : pesosOf(paidAmount) };
}

function pesosOf(paidAmount: number): string {
  const amount = canonicalAmount(paidAmount);
  if (amount !== undefined && decimalPlaces(amount) <= 2) return amount;
  const message = 'must be more than 0, whole or with two decimals';
  throw invalid({ path: 'body.paidAmount', code: 'INVALID_AMOUNT', message });
}

function conflict(detail?: string): never {
  throw new ApiError(payinErrors.PAYIN_STATUS_CONFLICT, { ...(detail !== undefined && { detail }) });
}
