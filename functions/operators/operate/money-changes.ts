import { createContradictionStore } from '#shared/off-ramps/contradiction-store.ts';
import {
  pollDeposit as pollDepositContract,
  searchHash as searchHashContract,
  settleDeposit as settleDepositContract,
  unsettleDeposit as unsettleDepositContract,
} from '#shared/off-ramps/deposit-commands.ts';
import { createFindDeposit } from '#shared/off-ramps/find-deposit.ts';
import { createHashSearches } from '#shared/off-ramps/hash-searches.ts';
import { createOffRampStore } from '#shared/off-ramps/off-ramp-store.ts';
import { resolveContradiction as resolveContradictionContract } from '#shared/off-ramps/operation-commands.ts';
import { createPollDepositNow } from '#shared/off-ramps/poll-deposit-now.ts';
import { createSettleDeposit, createUnsettleDeposit } from '#shared/off-ramps/settle-deposit.ts';
import { createEndMismatch } from '#shared/pay-ins/end-mismatch.ts';
import * as payinCommands from '#shared/pay-ins/pay-in-commands.ts';
import { createFindPayin } from '#shared/pay-ins/pay-in-store.ts';
import { createPollPayinNow } from '#shared/pay-ins/poll-pay-in-now.ts';
import type { Changes } from './dependencies.ts';
import { endPayin } from './end-payin.ts';
import { pollDeposit, pollPayin } from './polls.ts';
import { resolveContradiction } from './resolve-contradiction.ts';
import { searchHash } from './search-hash.ts';
import { settleDeposit, unsettleDeposit } from './settle-deposit.ts';

/** Of off-ramps, their deposits, and pay-ins. */
export const moneyChanges: Changes = (underAudit, { dynamo, tables, clock, newId }) => {
  const findPayin = createFindPayin(dynamo, tables.payins);
  const operations = createOffRampStore(dynamo, tables.operations);
  const contradictions = createContradictionStore(dynamo, tables, clock);
  const endMismatch = createEndMismatch(dynamo, tables, newId);
  const settling = {
    findDeposit: createFindDeposit(dynamo, tables.deposits),
    operations,
    settle: createSettleDeposit(dynamo, tables),
    unsettle: createUnsettleDeposit(dynamo, tables),
    clock,
  };
  return [
    underAudit(settleDepositContract, settleDeposit(settling)),
    underAudit(unsettleDepositContract, unsettleDeposit(settling)),
    underAudit(pollDepositContract, pollDeposit(createPollDepositNow(dynamo, tables.deposits, clock), clock)),
    underAudit(resolveContradictionContract, resolveContradiction({ operations, contradictions, clock })),
    underAudit(searchHashContract, searchHash(createHashSearches(dynamo, tables.deposits, clock), clock)),
    underAudit(payinCommands.pollPayin, pollPayin(createPollPayinNow(dynamo, tables.payins, clock), clock)),
    underAudit(payinCommands.endPayin, endPayin({ findPayin, endMismatch, clock })),
  ];
};
