import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createCheckTransfer, createEndMismatch } from '#shared/pay-ins/end-mismatch.ts';
import * as payinCommands from '#shared/pay-ins/pay-in-commands.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { createPayinRepository, createPollPayinNow } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { createProposals } from '#shared/platform/operators/proposal-repository.ts';
import type { TwoPersonsAbove } from '#shared/platform/operators/proposals.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { confirmPayin, endPayin } from './end-payin.ts';
import { expirePayin } from './expire-payin.ts';
import { pollPayin } from './poll-payin.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'payins' | 'events' | 'proposals', string>>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly twoPersonsAbove: TwoPersonsAbove;
}

/** All changes of operators to pay-ins. */
export function operatePayins({ dynamo, tables, clock, newId, twoPersonsAbove }: Dependencies): Handler {
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  const confirmedWith = payinCommands.confirmPayinContract.name;
  const conflict = payinErrors.PAYIN_STATUS_CONFLICT;
  const payins = createPayinRepository(dynamo, tables, clock);
  const ending = {
    findPayin: payins.find,
    endMismatch: createEndMismatch(dynamo, tables),
    checkTransfer: createCheckTransfer(dynamo, tables.payins),
    proposals: createProposals(dynamo, tables.proposals, clock, { confirmedWith, conflict }),
    twoPersonsAbove,
    clock,
  };
  return routeByPath(
    new Map([
      registerCommand(
        payinCommands.pollPayinContract,
        pollPayin(createPollPayinNow(dynamo, tables.payins, clock), clock),
      ),
      registerCommand(payinCommands.expirePayinContract, expirePayin({ payins, clock })),
      registerCommand(payinCommands.endPayinContract, endPayin(ending)),
      registerCommand(payinCommands.confirmPayinContract, confirmPayin(ending)),
    ]),
  );
}
