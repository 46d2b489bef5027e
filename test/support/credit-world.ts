import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { receiveCustodianNotification } from '#functions/off-ramps/receive-custodian-notification/receive-custodian-notification.ts';
import { reconcileCustodian } from '#functions/off-ramps/reconcile-custodian/reconcile-custodian.ts';
import type { Network } from '#shared/networks/network.ts';
import type { Custodian, ReadNotification } from '#shared/off-ramps/custodians/custodian.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { createFindTransfer, createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements, findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createCustodianLists } from '#shared/off-ramps/store/custodian-lists.ts';
import { createCountDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls, type DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import type { FakeClock } from './fake-clock.ts';
import { gatewayEvent, invoke } from './gateway.ts';
import { offRamp, RULES } from './off-ramp.ts';
import { tablesInMemory } from './tables-in-memory.ts';

type Searching = { readonly name: string } & Pick<Custodian, 'findTransfers' | 'findTransfer'>;

const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };

interface World<Adapter extends Searching> {
  readonly clock: FakeClock;
  readonly network: Network;
  /** The deposit that the operation awaits, and its sender. */
  readonly facts: Pick<OffRamp, 'custodianAssetId' | 'address' | 'senderAddress' | 'amount'> & Partial<OffRamp>;
  readonly decimals: number;
  readonly custodian: (dynamo: DynamoDBDocumentClient) => Adapter;
  readonly readNotification?: ReadNotification;
}

/** One operation that awaits its deposit; nobody reports or notifies anything. */
export async function creditWorld<Adapter extends Searching>(given: World<Adapter>) {
  const { clock, network, facts } = given;
  const { dynamo } = tablesInMemory();
  const operation = offRamp({ ...facts, network, createdAt: clock.now().toISOString() });
  await insertOperation(dynamo, tables, operation);
  const messages: DepositPoll[] = [];
  const custodian = given.custodian(dynamo);
  const { listTransfers, scanTransfers } = custodian as Searching & Pick<Custodian, 'listTransfers' | 'scanTransfers'>;
  const custodians = new Map([[network, custodian] as const]);
  const common = {
    deposits: createDepositRepository(dynamo, tables.deposits, clock),
    clock,
    sendPoll: async (poll: DepositPoll) => void messages.push(poll),
  };
  const { name } = custodian;
  const reconcile = reconcileCustodian({
    ...common,
    custodians: new Map(listTransfers && [[network, { name, listTransfers }]]),
    chains: new Map(scanTransfers && [[network, { name, scanTransfers }]]),
    lists: createCustodianLists(dynamo, tables.deposits),
    dustBelow: {},
  });
  const { readNotification } = given;
  const searching = {
    findTransfers: createFindTransfers(custodians, clock),
    findTransfer: createFindTransfer(custodians, clock),
  };
  const receive = providerEndpoint(
    receiveCustodianNotificationContract,
    clock,
    receiveCustodianNotification({
      ...common,
      ...searching,
      notifiers: new Map(readNotification && [[network, { name, readNotification }]]),
      isServed: () => true,
      searches: createHashSearches(dynamo, tables.deposits, clock),
    }),
  );
  const operations = createOffRampRepository(dynamo, tables.operations);
  const match = matchDeposit({
    ...common,
    polls: createDepositPolls(dynamo, tables.deposits, clock),
    ...searching,
    networkRules: RULES,
    eventsTable: tables.events,
    findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
    operations,
    countDepositsOf: createCountDepositsOf(dynamo, tables.deposits),
    minimumDeposits: {},
    decimals: { [facts.custodianAssetId]: given.decimals },
    fundedBy: (txHash) => findClaimant(dynamo, tables.hashes, 'FUNDED', txHash),
    creditDeposit: createCreditDeposit(dynamo, tables, clock, RULES),
    movements: createMovements(dynamo, tables.hashes),
  });
  return {
    operation,
    findTransfers: searching.findTransfers,
    /** Sends a notification of the custodian; returns the status of the answer. */
    notify: async (body: string, headers: Readonly<Record<string, string>>) =>
      (await invoke(receive, gatewayEvent({ body, headers }))).statusCode,
    /** Makes all polls that wait; returns their number. */
    poll: async () => {
      const polls = messages.splice(0);
      for (const poll of polls) await match(poll);
      return polls.length;
    },
    deposit: common.deposits.find,
    /** Lets this many seconds pass, reads the custodian's list or chain, and makes the resulting polls. */
    pass: async (seconds: number) => {
      clock.advance(seconds);
      await reconcile();
      for (const poll of messages.splice(0)) await match(poll);
    },
    credited: async () => (await operations.find(operation.operationId))?.verifiedTxHash,
  };
}
