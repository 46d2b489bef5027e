import { randomUUID } from 'node:crypto';
import { networkRulesSetting } from '#shared/networks/network.ts';
import { createFindOutgoing } from '#shared/off-ramps/custodians/ask-sendings.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { outgoingCustodians, searchingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { heldSinceSetting, returnsSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { assetAmountsSetting } from '#shared/parameters/asset-amounts.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { operateOffRamps } from './operate-off-ramps.ts';

export function wire(
  {
    dynamo,
    custodians,
    outgoing,
  }: Pick<AwsClients, 'dynamo'> & {
    readonly custodians: Custodians<'findTransfer'>;
    readonly outgoing: Custodians<'findOutgoing'>;
  },
  clock: Clock,
  newId: () => string,
) {
  const tables = environment({
    audit: 'AUDIT_TABLE',
    clients: 'CLIENTS_TABLE',
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
    proposals: 'PROPOSALS_TABLE',
  });
  return operateOffRamps({
    dynamo,
    tables,
    findTransfer: createFindTransfer(custodians, clock),
    findOutgoing: createFindOutgoing(outgoing, clock),
    networkRules: networkRulesSetting(),
    networks: [...custodians.keys()],
    custodianNames: [...custodians.values()].map(({ name }) => name),
    returnTerms: { routes: returnsSetting(), fees: assetAmountsSetting('RETURN_FEES'), ...heldSinceSetting() },
    onePersonUpTo: assetAmountsSetting('ONE_PERSON_UP_TO'),
    clock,
    newId,
  });
}

await warmUp(createFindDeposit(dynamo, setting('DEPOSITS_TABLE'))(NIL_UUID));
export const handler = wire(
  { dynamo, custodians: searchingCustodians(systemClock), outgoing: outgoingCustodians(systemClock) },
  systemClock,
  randomUUID,
);
