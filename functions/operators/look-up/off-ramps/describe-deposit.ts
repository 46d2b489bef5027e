import type * as z from 'zod/mini';
import { type Deposit, depositIdOf, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import { lookedUpDeposit } from '#shared/operators/deposit-lookup.ts';

/** A deposit with the custodian's last data. */
export function describeDeposit(deposit: Deposit): z.infer<typeof lookedUpDeposit> {
  return lookedUpDeposit.parse({
    ...deposit.transfer,
    ...deposit,
    depositId: depositIdOf(deposit.custodianTransferId),
    status: depositStatusOf(deposit),
  });
}
