import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { has, maybeText, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** What holds of one write of a claim: FUNDED and ADDRESS are for ever, DECLARED is released. */
export function checkClaim({ before, after }: Change): void {
  const claim = text(after ?? before, 'claim');
  if (claim.startsWith('FUNDED#')) {
    must('FUNDED is never changed and never deleted', before === undefined, { claim });
  }
  if (!claim.startsWith('ADDRESS#') || before === undefined) return;
  const isKept =
    text(before, 'userId') === text(after, 'userId') && text(before, 'clientId') === text(after, 'clientId');
  must('an address is one user’s', isKept, { claim, before: text(before, 'userId'), after: text(after, 'userId') });
}

/** What holds of an operation and its claims after every transaction that wrote either. */
export function checkClaimsOf(operation: Item, { ledger, transaction }: Written): void {
  const id = text(operation, 'operationId');
  const [status, txHash, verified] = [
    text(operation, 'status'),
    text(operation, 'txHash'),
    maybeText(operation, 'verifiedTxHash'),
  ];
  const funded = [...(ledger.funded.get(id) ?? [])];
  const due = verified === undefined ? [] : [verified];
  must('FUNDED is what is verified', funded.join() === due.join(), { id, funded, verified });
  const credited = [...(ledger.credited.get(id) ?? [])];
  must('credited once', credited.length === due.length, { id, credited });
  const declared = [...(ledger.declared.get(id) ?? [])];
  const isDeclared = txHash !== '' && (status === 'AWAITING_DEPOSIT' || txHash === verified);
  must('no DECLARED leaked, none missing', declared.join() === (isDeclared ? txHash : ''), { id, declared, txHash });
  const created = transaction.find(({ before, after }) => after === operation && before === undefined);
  if (created !== undefined) checkAddressOf(operation, ledger.claims, transaction);
  if (verified !== undefined) checkTwin(operation, verified, ledger);
}

/** The address is assigned in the transaction that makes the operation, so that no other can have it. */
function checkAddressOf(operation: Item, claims: ReadonlyMap<string, Item>, transaction: Written['transaction']): void {
  const id = text(operation, 'operationId');
  const made = transaction.find(({ after }) => text(after, 'claim').startsWith('ADDRESS#'))?.after;
  const isOwn = text(made, 'operationId') === id && text(made, 'userId') === text(operation, 'userId');
  must('an operation is made with the claim on its address', isOwn && claims.has(text(made, 'claim')), { id });
}

const expected = ['network', 'address', 'addressTag', 'custodianAssetId', 'amount', 'senderAddress'];

/** Of two that a deposit fits, the one that declared its hash has it. */
function checkTwin(operation: Item, verified: string, { claims, operations }: Written['ledger']): void {
  const declarant = operations.get(text(claims.get(`DECLARED#${verified}`), 'operationId'));
  const isTwin =
    declarant !== undefined &&
    declarant !== operation &&
    text(declarant, 'status') === 'AWAITING_DEPOSIT' &&
    expected.every(
      (name) => has(declarant, name) === has(operation, name) && text(declarant, name) === text(operation, name),
    );
  must('a declared hash funds no twin', !isTwin, {
    id: text(operation, 'operationId'),
    twin: text(declarant, 'operationId'),
  });
}
