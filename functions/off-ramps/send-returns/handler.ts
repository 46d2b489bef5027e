import { networkRulesSetting } from '#shared/networks/network.ts';
import { createFindOutgoing, createFindSending, createSend } from '#shared/off-ramps/custodians/ask-sendings.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { outgoingCustodians, searchingCustodians, sendingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { heldSinceSetting, restoredSetting, returnsSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createListDueReturns } from '#shared/off-ramps/store/return-lists.ts';
import { createReturns } from '#shared/off-ramps/transitions/return-deposit.ts';
import { assetAmountsSetting } from '#shared/parameters/asset-amounts.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { sendReturns } from './send-returns.ts';

export function wire(
  {
    dynamo,
    custodians,
    senders,
    outgoing,
  }: Pick<AwsClients, 'dynamo'> & {
    readonly custodians: Custodians<'findTransfer'>;
    readonly senders: Custodians<'send' | 'findSending'>;
    readonly outgoing: Custodians<'findOutgoing'>;
  },
  clock: Clock,
) {
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
  });
  return logEachCall(
    'send-returns',
    clock,
    sendReturns({
      listDueReturns: createListDueReturns(dynamo, tables.deposits, clock),
      findDeposit: createFindDeposit(dynamo, tables.deposits),
      operations: createOffRampRepository(dynamo, tables.operations),
      returns: createReturns(dynamo, tables, clock),
      findTransfer: createFindTransfer(custodians, clock),
      send: createSend(senders, clock),
      findSending: createFindSending(senders, clock),
      findOutgoing: createFindOutgoing(outgoing, clock),
      terms: {
        routes: returnsSetting(),
        fees: assetAmountsSetting('RETURN_FEES'),
        ...heldSinceSetting(),
        ...restoredSetting(),
      },
      networkRules: networkRulesSetting(),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire(
  {
    dynamo,
    custodians: searchingCustodians(systemClock),
    senders: sendingCustodians(systemClock),
    outgoing: outgoingCustodians(systemClock),
  },
  systemClock,
);
