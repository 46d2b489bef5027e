import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createEndMismatch } from '#shared/pay-ins/end-mismatch.ts';
import * as payinCommands from '#shared/pay-ins/pay-in-commands.ts';
import { createFindPayin, createPollPayinNow } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createUnderAudit } from '#shared/platform/operators/audited.ts';
import { byPath, type Handler } from '#shared/platform/operators/by-path.ts';
import { endPayin } from './end-payin.ts';
import { pollPayin } from './poll-payin.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'payins' | 'events', string>>;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** All changes of operators to pay-ins. */
export function operatePayins({ dynamo, tables, clock, newId }: Dependencies): Handler {
  const underAudit = createUnderAudit(dynamo, tables.audit, clock, newId);
  const findPayin = createFindPayin(dynamo, tables.payins);
  const endMismatch = createEndMismatch(dynamo, tables);
  return byPath(
    new Map([
      underAudit(payinCommands.pollPayinContract, pollPayin(createPollPayinNow(dynamo, tables.payins, clock), clock)),
      underAudit(payinCommands.endPayinContract, endPayin({ findPayin, endMismatch, clock })),
    ]),
  );
}
