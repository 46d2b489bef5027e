import { OPERATION_STATUS_CHANGED } from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { accountOf } from '../fits.ts';
import { maybeText, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';
import { checkEventEnds } from './event-ends.ts';
import { checkPayoutsKnown } from './payout-ends.ts';
import { checkReturnEnds } from './return-ends.ts';
import { checkTransferEnds } from './transfer-ends.ts';
import { checkUnseen } from './unseen.ts';
import { checkWhole } from './whole-ends.ts';

/**
 * Checks what holds after a restore to an earlier second was put right: no deposit is lost, no address is given twice,
 * no deposit is sent back twice, paid out twice, or both sent back and paid out. Each event goes to its webhooks.
 *
 * @throws {Violation}
 */
export function checkAfterRestore(aftermath: Aftermath): void {
  checkCreations(aftermath);
  checkAddresses(aftermath);
  checkTransferEnds(aftermath);
  checkUnseen(aftermath);
  checkReturnEnds(aftermath);
  checkPayoutsKnown(aftermath);
  checkPaidOnce(aftermath);
  checkWhole(aftermath);
  checkEventEnds(aftermath);
}

/** Every off-ramp with a creation event exists, whatever its status. */
function checkCreations({ ledger }: Aftermath): void {
  for (const { type, data } of ledger.events.values()) {
    if (type !== OPERATION_STATUS_CHANGED || data.sequence !== 1) continue;
    const { operationId = '' } = data;
    must('an off-ramp that was created is there', ledger.operations.has(operationId), { operationId });
  }
}

const placeOf = (operation: Item) =>
  `${accountOf(text(operation, 'address'))} ${maybeText(operation, 'addressTag') ?? ''}`;

function checkAddresses({ ledger }: Aftermath): void {
  for (const [address, operations] of Map.groupBy(ledger.operations.values(), placeOf)) {
    const users = new Set(operations.map((operation) => text(operation, 'userId')));
    const awaiting = operations.filter((operation) => text(operation, 'status') === 'AWAITING_DEPOSIT');
    must('an address is given to one user', users.size === 1, { address, users: [...users] });
    must('an address is given to one off-ramp at a time', awaiting.length <= 1, { address });
  }
}

/** Events survive a restore: of all off-ramps that a deposit was ever credited to, at most one was paid out. */
function checkPaidOnce({ ledger, truth }: Aftermath): void {
  const credited = [...ledger.events.values()].filter(({ data }) => data.depositId && data.status === 'CREDITED');
  for (const [depositId, events] of Map.groupBy(credited, ({ data }) => data.depositId)) {
    const operations = new Set(events.map(({ data }) => data.operationId));
    const paid = [...operations].filter((id) =>
      truth.payouts.some(({ operationId, isBack }) => operationId === id && !isBack),
    );
    must('a deposit is paid out once', paid.length <= 1, { depositId, paid });
  }
}
