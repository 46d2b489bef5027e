import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Every change by an operator is in the audit. */
export function checkCommandEnds({ ledger, truth }: Aftermath): void {
  for (const { name, input, status, auditId } of truth.commands) {
    const isAudited = status >= 300 || ledger.audits.has(auditId ?? '');
    must('what an operator has changed is in the audit', isAudited, { name, input, auditId });
  }
}
