import { networkRulesSetting } from '#shared/networks/network.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { searchingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { restoredSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createRememberSeen } from '#shared/off-ramps/store/deposit-repository.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createVerificationRepository } from '#shared/off-ramps/store/verification-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndWindow } from '#shared/off-ramps/transitions/end-window.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { checkDeposit } from './check-deposit.ts';

export function wire(
  { dynamo, custodians }: Pick<AwsClients, 'dynamo'> & { readonly custodians: Custodians<'findTransfers'> },
  clock: Clock,
) {
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
  });
  return logEachCall(
    'check-deposit',
    clock,
    checkDeposit({
      operations: createOffRampRepository(dynamo, tables.operations),
      verifications: createVerificationRepository(dynamo, tables.operations, clock),
      endWindow: createEndWindow(dynamo, tables, clock),
      findTransfers: createFindTransfers(custodians, clock),
      findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
      rememberSeen: createRememberSeen(dynamo, tables.deposits, clock),
      creditDeposit: createCreditDeposit(dynamo, tables, clock, networkRulesSetting(), restoredSetting().restoredAt),
      networkRules: networkRulesSetting(),
      clock,
    }),
    ({ operationId, attempt, outcome, reason }) => ({ operationId, attempt, outcome, reason }),
  );
}

await warmUp(createOffRampRepository(dynamo, setting('OPERATIONS_TABLE')).findWithVerification(NIL_UUID));
export const handler = wire({ dynamo, custodians: searchingCustodians(systemClock) }, systemClock);
