/** What you provide: a table with conditional writes, a bank that pays one key once, and the bus. */
export interface Own {
  /**
   * Stores the last status of a deposit under its `depositId`, because wrong deposits have events, too; ignores a
   * sequence that is not larger, because events come in any order.
   */
  saveDeposit(deposit: Deposit): Promise<void>;
  /** The deposits of the operation: at most one of them is `CREDITED`. */
  depositsOf(operationId: string): Promise<readonly Deposit[]>;
  /** Puts the payout unless there is one of this operation already; nothing ever deletes it. */
  saveOnce(payout: Payout): Promise<void>;
  payoutOf(operationId: string): Promise<Payout | undefined>;
  /** Writes the payout if its state and its reference are still those that were read. */
  change(seen: Payout, to: Payout): Promise<void>;
  /** Pays one key once, however often it is called; answers when the money is final. */
  bankPays(key: string, operationId: string): Promise<{ amount: string; currency: string; paidAt: string }>;
  say(detailType: string, detail: object): Promise<void>;
}

export interface Payout {
  readonly operationId: string;
  /** Also the key at the bank: another payout has another reference. */
  readonly reference: string;
  readonly state: 'DUE' | 'PAID' | 'ENDED';
}

export interface Deposit {
  readonly depositId: string;
  readonly operationId: string;
  readonly status: string;
  readonly sequence: number;
}

type BusEvent =
  | { readonly 'detail-type': 'ramp.deposit.status_changed'; readonly detail: Deposit }
  | { readonly 'detail-type': 'ramp.operation.status_changed'; readonly detail: Omit<Deposit, 'depositId'> };

/** Consumes your queue, which has rules for both types of event. A message whose handling throws comes again. */
export function payOut(own: Own) {
  return async (event: BusEvent): Promise<void> => {
    const { operationId, status } = event.detail;
    if (event['detail-type'] === 'ramp.deposit.status_changed') await own.saveDeposit(event.detail);
    else if (status === 'CANCELLED' || status === 'FAILED') await save(own, operationId, 'ENDED');
    else if (status === 'PENDING') await save(own, operationId, 'DUE');
    await payIfDue(own, operationId);
  };
}

/** Keeps one payout per operation, however often its events come and with whatever ids, and none once it has ended. */
async function save(own: Own, operationId: string, state: 'DUE' | 'ENDED'): Promise<void> {
  await own.saveOnce({ operationId, reference: `${operationId}-1`, state });
  const seen = await own.payoutOf(operationId);
  if (state === 'ENDED' && seen?.state === 'DUE') await own.change(seen, { ...seen, state });
}

async function payIfDue(own: Own, operationId: string): Promise<void> {
  const payout = await own.payoutOf(operationId);
  if (payout?.state !== 'DUE') return;
  // Read right before paying. Nothing is paid while the deposit is REVERSED; when it is CREDITED again, an event comes.
  if (!(await own.depositsOf(operationId)).some((deposit) => deposit.status === 'CREDITED')) return;
  const { reference } = payout;
  const paid = await own.bankPays(reference, operationId);
  const answer = { operationId, eventId: `paid-${reference}`, status: 'COMPLETED', payout: { ...paid, reference } };
  await own.say('operation.status', answer);
  await own.change(payout, { ...payout, state: 'PAID' });
}

/** Reports a payout that the bank sent back. It is paid again under another reference, once the account is known. */
export async function payoutReturned(own: Own, seen: Payout, reason: string): Promise<void> {
  const { operationId, reference } = seen;
  const answer = { operationId, eventId: `returned-${reference}`, payout: { reference }, reason };
  await own.say('operation.payout_returned', answer);
}

export async function payAgain(own: Own, seen: Payout, reference: string): Promise<void> {
  await own.change(seen, { ...seen, reference, state: 'DUE' });
  await payIfDue(own, seen.operationId);
}
