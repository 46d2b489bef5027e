import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { maybeText, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** Checks a write of a claim: FUNDED and ADDRESS stay forever, DECLARED is released. */
export function checkClaim({ before, after }: Change, { ledger }: Written): void {
  const claim = text(after ?? before, 'claim');
  if (claim.startsWith('FUNDED#')) {
    must('FUNDED is never changed and never deleted', before === undefined, { claim });
  }
  if (claim.startsWith('DECLARED#') && after !== undefined) {
    const funded = text(ledger.claims.get(claim.replace('DECLARED', 'FUNDED')), 'operationId');
    const isOwn = funded === '' || funded === text(after, 'operationId');
    must('what funds one operation is not declared for another', isOwn, { claim, funded });
  }
  if (claim.startsWith('MOVEMENT#') || claim.startsWith('RETURN#')) {
    const [was, is] = [before, after].map((one) => maybeText(one, 'custodianTransferId'));
    must('a movement is one deposit’s for ever', is !== undefined && (was ?? is) === is, { claim, was, is });
  }
  if (!claim.startsWith('ADDRESS#') || before === undefined) return;
  const isKept =
    text(before, 'userId') === text(after, 'userId') && text(before, 'clientId') === text(after, 'clientId');
  must('an address is one user’s', isKept, { claim, before: text(before, 'userId'), after: text(after, 'userId') });
  const previous = text(before, 'operationId');
  const isFree = text(ledger.operations.get(previous), 'status') !== 'AWAITING_DEPOSIT';
  must('an address is at most one awaiting operation’s', isFree, { claim, previous, next: text(after, 'operationId') });
}

/** Checks an operation and its claims after every transaction that wrote either. */
export function checkClaimsOf(operation: Item, { ledger, transaction }: Written): void {
  const id = text(operation, 'operationId');
  const [status, txHash, verified] = [
    text(operation, 'status'),
    text(ledger.verifications.get(id), 'txHash'),
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
}

/** The address is claimed in the transaction that creates the operation, so that no other operation can have it. */
function checkAddressOf(operation: Item, claims: ReadonlyMap<string, Item>, transaction: Written['transaction']): void {
  const id = text(operation, 'operationId');
  const made = transaction.find(({ after }) => text(after, 'claim').startsWith('ADDRESS#'))?.after;
  const isOwn = text(made, 'operationId') === id && text(made, 'userId') === text(operation, 'userId');
  must('an operation is made with the claim on its address', isOwn && claims.has(text(made, 'claim')), { id });
}
