import { isOwed } from '../fits.ts';
import { depositStatusOf, has, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Items that are written in one transaction agree, even after a restore that had only some of them. */
export function checkWhole({ ledger, writtenOff, truth }: Aftermath): void {
  const { operations, deposits, claims } = ledger;
  const isCalledFor = (operationId: string) =>
    truth.errors.some(({ code, fields }) => code === 'DEPOSIT_OWED' && fields?.['operationId'] === operationId);
  for (const [id, deposit] of deposits) {
    if (!has(deposit, 'creditedAt')) continue;
    const [operationId, txHash] = [text(deposit, 'operationId'), text(deposit, 'txHash')];
    const operation = operations.get(operationId);
    const isOwn = text(operation, 'verifiedTxHash') === txHash || isCalledFor(operationId);
    // A deposit reversed since the restored second does not change its off-ramp; a person is alerted for it as well.
    const isTakenBack = depositStatusOf(deposit) === 'REVERSED';
    must('an off-ramp knows of the deposit that is credited to it, or somebody is called', isOwn || isTakenBack, {
      id,
      operationId,
    });
    const isDealtWith = has(deposit, 'return') || has(deposit, 'settled') || writtenOff?.has(id);
    const isListed = isDealtWith || has(deposit, 'owed') || !isOwed(operation);
    must('what is owed is in its list', isListed, { id, operationId });
  }
  const assigned = new Set(
    [...claims].filter(([claim]) => claim.startsWith('ADDRESS#')).map(([, claim]) => text(claim, 'operationId')),
  );
  for (const [operationId, operation] of operations) {
    const isAwaiting = text(operation, 'status') === 'AWAITING_DEPOSIT';
    must('the address of an off-ramp that awaits is its own', !isAwaiting || assigned.has(operationId), {
      operationId,
    });
    if (!has(operation, 'verifiedTxHash')) continue;
    const funded = claims.get(`FUNDED#${text(operation, 'verifiedTxHash')}`);
    const deposit = deposits.get(text(funded, 'custodianTransferId'));
    const isFunded = text(funded, 'operationId') === operationId && has(deposit, 'creditedAt');
    must('the deposit of an off-ramp is credited', isFunded, {
      operationId,
      funded: text(funded, 'custodianTransferId'),
    });
  }
}
