import { byPath, type Handler } from '#shared/operators/by-path.ts';
import { operatorEndpoint } from '#shared/platform/http/endpoints.ts';
import { createAudit } from './audit-store.ts';
import { audited } from './audited.ts';
import { clientChanges } from './client-changes.ts';
import { deadLetterChanges } from './dead-letter-changes.ts';
import type { Changes, Dependencies, UnderAudit } from './dependencies.ts';
import { moneyChanges } from './money-changes.ts';
import { parameterChanges } from './parameter-changes.ts';
import { webhookChanges } from './webhook-changes.ts';

const modules: readonly Changes[] = [clientChanges, deadLetterChanges, moneyChanges, parameterChanges, webhookChanges];

/** All that operators change: one function for all of it, since they are few. What they look up is another's. */
export function operate(deps: Dependencies): Handler {
  const { dynamo, tables, clock, newId } = deps;
  const auditing = { audit: createAudit(dynamo, tables.audit), clock, newId };
  const underAudit: UnderAudit = (contract, change) => [
    contract.path,
    operatorEndpoint(contract, clock, audited(auditing, contract, change)),
  ];
  return byPath(new Map(modules.flatMap((changes) => changes(underAudit, deps))));
}
