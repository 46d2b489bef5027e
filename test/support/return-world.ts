import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changeOperation } from '#functions/off-ramps/apply-status-change/change-operation.ts';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { operateOffRamps } from '#functions/off-ramps/operate-off-ramps/operate-off-ramps.ts';
import { returnDeposit } from '#functions/off-ramps/return-deposit/return-deposit.ts';
import { sendReturns } from '#functions/off-ramps/send-returns/send-returns.ts';
import { returnDepositContract } from '#shared/off-ramps/contract/return-contract.ts';
import { createFindOutgoing } from '#shared/off-ramps/custodians/ask-sendings.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type AskForTransfer, withSearchMargin } from '#shared/off-ramps/custodians/find-transfers.ts';
import {
  type Deposit,
  deposit,
  depositIdOf,
  depositStatusOf,
  storedTransfer,
} from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements, findClaimant } from '#shared/off-ramps/store/claims.ts';
import {
  createCountDepositsOf,
  createFindDepositOf,
  createFindReturningDeposits,
} from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository, createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createListDueReturns } from '#shared/off-ramps/store/return-lists.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { createReturns } from '#shared/off-ramps/transitions/return-deposit.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { captureLogs } from './capture-logs.ts';
import { fakeClock } from './fake-clock.ts';
import { context, gatewayEvent } from './gateway.ts';
import { CLIENT, OPERATION, USER } from './ids.ts';
import { CREATED_AT, offRamp, RETURN_TERMS, RULES, transfer } from './off-ramp.ts';
import { routeCall } from './route-call.ts';
import { sendingCustodian } from './sending-custodian.ts';
import { tablesInMemory } from './tables-in-memory.ts';

export const ID = 'transfer-1';
const person = (name: string) => `arn:aws:sts::111122223333:assumed-role/finance/${name}`;
export const ALICE = person('alice');
export const BEA = person('bea');
export const CARL = person('carl');

const tables = {
  ...{ audit: 'audit', clients: 'clients', operations: 'operations', hashes: 'hashes', deposits: 'deposits' },
  ...{ events: 'events', proposals: 'proposals' },
};

interface World {
  readonly operation?: Partial<OffRamp>;
  readonly facts?: Partial<CustodianTransfer>;
  readonly deposit?: Partial<Deposit>;
  readonly isByHand?: boolean;
  readonly onePersonUpTo?: string;
  heldSince?: string;
  restoredAt?: string;
}

interface Told {
  readonly status?: 'COMPLETED' | 'PAYOUT_RETURNED';
  readonly reference?: string;
  readonly isRepeat?: boolean;
}

const UNMATCHED = {
  ...{ unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, firstUnmatchedAt: CREATED_AT },
  ...{ reasons: ['WRONG_AMOUNT'], sequence: 1, updatedAt: CREATED_AT, detectedAt: CREATED_AT },
} satisfies Partial<Deposit>;

/** A credited deposit whose off-ramp ended without a payout two days ago. */
export const CREDITED = {
  operation: { status: 'CANCELLED', verifiedTxHash: transfer().txHash, endedAt: '2026-07-30T12:00:00.000Z' },
  facts: {},
  deposit: {
    ...{ unmatched: undefined, unmatchedSince: undefined, firstUnmatchedAt: undefined, reasons: undefined },
    ...{ creditedAt: '2026-07-30T11:00:00.000Z', owed: 'OWED', owedSince: '2026-07-30T12:00:00.000Z' },
  },
} satisfies World;

/** A deposit that funds nothing, everyone who decides about it, and a custodian that sends it back. */
export async function returnWorld(given: World = {}) {
  const lines = captureLogs();
  const clock = fakeClock('2026-08-01T12:30:00.000Z');
  const memory = tablesInMemory();
  const operation = offRamp(given.operation);
  await insertOperation(memory.dynamo, tables, operation);
  const putOperation = (differences: Partial<OffRamp>) =>
    memory.table('operations').put({ ...operation, record: 'OPERATION', ...differences });
  const { facts = { amount: '99' } } = given;
  const putDeposit = (differences: Partial<Deposit> = {}, of: Partial<CustodianTransfer> = facts) => {
    const { custodianTransferId, network, txHash } = transfer(of);
    memory.table('deposits').put({
      ...{ custodianTransferId, network, txHash, operationId: OPERATION, clientId: CLIENT, userId: USER },
      ...{
        firstNotifiedAt: CREATED_AT,
        lastNotifiedAt: CREATED_AT,
        ...UNMATCHED,
        transfer: storedTransfer(transfer(of)),
      },
      ...given.deposit,
      ...differences,
    });
  };
  putDeposit();
  if (operation.verifiedTxHash !== undefined)
    memory
      .table('hashes')
      .put({ claim: `FUNDED#${operation.verifiedTxHash}`, operationId: OPERATION, custodianTransferId: ID });
  const { told: custodian, orders, moved, say, ...sender } = sendingCustodian(transfer(facts));
  const { heldSince } = given;
  const held: Pick<World, 'heldSince' | 'restoredAt'> =
    heldSince === undefined ? {} : { heldSince, restoredAt: heldSince };
  const terms = {
    ...{ ...RETURN_TERMS, ...held },
    routes: { ETHEREUM: { ...RETURN_TERMS.routes.ETHEREUM, isByHand: given.isByHand ?? false } },
  };
  const onePersonUpTo = { 'ETHEREUM:USDC': given.onePersonUpTo ?? '1000' };
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };

  /** The outgoing transfers that the custodian finds in a search since this time. */
  const left = (since: string) => custodian.outgoing.filter(({ createdAt }) => createdAt >= since);

  /** The transfer, if it is asked for as it was last seen. */
  const found = ({ custodianTransferId: id, seen }: Parameters<AskForTransfer>[0]) =>
    custodian.transfer?.custodianTransferId === id && seen?.custodianTransferId === id ? custodian.transfer : undefined;

  /** All actors, on tables and a custodian that call `interrupt` before and after each of their calls. */
  const parts = (interrupt: () => Promise<void> = async () => {}) => {
    const around = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await interrupt();
      const result = await work();
      await interrupt();
      return result;
    };
    const dynamo: typeof memory.dynamo = Object.assign(Object.create(memory.dynamo), {
      send: (command: GetCommand) => around(async () => memory.dynamo.send(command)),
    });
    const operations = createOffRampRepository(dynamo, tables.operations);
    const returns = createReturns(dynamo, tables, clock);
    const work = sendReturns({
      listDueReturns: createListDueReturns(dynamo, tables.deposits, clock),
      findDeposit: createFindDeposit(dynamo, tables.deposits),
      ...{ operations, returns, terms, networkRules: RULES, clock },
      findTransfer: (asked) => around(async () => found(asked)),
      send: (order) => around(() => sender.send(order)),
      findSending: (query) => around(() => sender.findSending(query)),
      findOutgoing: ({ seen, since }) =>
        around(async () => (custodian.isGone && seen ? [{ ...seen, state: 'GONE' }] : left(withSearchMargin(since)))),
    });
    const operating = operateOffRamps({
      ...{
        dynamo,
        tables,
        clock,
        newId,
        networkRules: RULES,
        networks: ['ETHEREUM'],
        custodianNames: ['simulated'],
        returnTerms: terms,
        onePersonUpTo,
      },
      findTransfer: () => around(async () => custodian.transfer),
      findOutgoing: createFindOutgoing(
        new Map([
          ['ETHEREUM', { name: 'custodian', findOutgoing: ({ since }) => around(async () => left(since)) }] as const,
        ]),
        clock,
      ),
    });
    const ask = returnDeposit({
      ...{ operations, returns, terms, onePersonUpTo, clock },
      findDepositOf: createFindDepositOf(dynamo, tables.deposits),
      runIdempotently: async (_, __, create) => ({ body: await create('', true), isMadeOnce: true }),
    });
    const creditDeposit = createCreditDeposit(dynamo, tables, clock, RULES);
    const match = matchDeposit({
      ...{ operations, creditDeposit, clock, networkRules: RULES, eventsTable: tables.events },
      deposits: createDepositRepository(dynamo, tables.deposits, clock),
      polls: createDepositPolls(dynamo, tables.deposits, clock),
      movements: createMovements(dynamo, tables.hashes),
      sendPoll: async () => {},
      findTransfers: async () => (custodian.transfer ? [custodian.transfer] : []),
      findTransfer: async () => custodian.transfer,
      findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
      countDepositsOf: createCountDepositsOf(dynamo, tables.deposits),
      ...{ minimumDeposits: {}, decimals: {} },
      fundedBy: (txHash) => findClaimant(dynamo, tables.hashes, 'FUNDED', txHash),
    });
    const pollOf = async (custodianTransferId: string) => {
      const of = transfer({ ...facts, custodianTransferId });
      await match(await createDepositRepository(dynamo, tables.deposits, clock).remember(of, clock.now()));
    };
    const change = changeOperation({
      ...{ operations, clock, endOperation: createEndOperation(dynamo, tables, clock) },
      contradictions: createContradictionRepository(dynamo, tables, clock),
      findReturningDeposits: createFindReturningDeposits(dynamo, tables.deposits, clock),
    });
    return {
      /** Runs the worker once. */
      work,
      /** Requests the deposit back, as the client. */
      ask: async (body: object = {}, as = CLIENT, deposit_id = depositIdOf(ID)) =>
        (await ask(routeCall(returnDepositContract, { deposit_id }, body, { clientId: as }))).body.deposit,
      async operate(contract: Contract, input: object = {}, userArn = ALICE) {
        const isOfAnother = ['proposalId', 'operationId', 'txHash'].some((name) => name in input);
        const about = isOfAnother ? {} : { custodianTransferId: ID };
        const body = JSON.stringify({ arguments: { ...about, ...input }, reason: 'Case 17' });
        const identity = { requestId: 'request-1', identity: { userArn } };
        const event = {
          httpMethod: 'POST',
          resource: contract.path,
          pathParameters: {},
          body,
          requestContext: identity,
        };
        const answer = await operating(gatewayEvent(event), context);
        return { status: answer.statusCode, body: JSON.parse(answer.body) };
      },
      /** Reports the hash of the deposit, which is now, for the custodian, what its off-ramp awaits. */
      credit: () => creditDeposit(OPERATION, transfer()),
      creditOf: (of: CustodianTransfer) => creditDeposit(OPERATION, of),
      /** Polls the custodian for what it says now. */
      poll: () => pollOf(ID),
      pollOf,
      /** Makes the planned poll. */
      pollPlanned: () => match({ custodianTransferId: ID, nextPollAt: String(kept().nextPollAt) }),
      /** Sends the event of the payouts service that the off-ramp was paid. */
      tellPaid: (eventId = 'paid', { status = 'COMPLETED', reference = 'P-1', isRepeat = false }: Told = {}) =>
        change(
          { operationId: OPERATION, eventId, status, source: 'payments.payouts', payout: { reference } },
          { sentAt: clock.now(), isRepeat },
        ),
    };
  };

  const kept = (): Deposit => deposit.parse(memory.table('deposits').find({ custodianTransferId: ID }));
  const everybody = parts();
  return {
    ...memory,
    ...everybody,
    ...{ clock, terms, custodian, orders, moved, say, putDeposit, putOperation, parts, kept },
    status: () => depositStatusOf(kept()),
    /** Runs the worker this many times, a minute apart. */
    async pass(minutes: number) {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.advance(60);
        await everybody.work();
      }
    },
    operation: () => memory.table('operations').find({ operationId: OPERATION, record: 'OPERATION' }),
    errors: () => lines.filter(({ level }) => level === 'error').map(({ code }) => code),
    lines,
    /** The previous and new statuses in the client's events, with their sequences. */
    told: () =>
      memory
        .table('events')
        .items()
        .map(({ body }) => JSON.parse(String(body)))
        .filter(({ type }) => type === 'ramp.deposit.status_changed')
        .map(({ data }) => [data.sequence, data.previousStatus, data.status])
        .toSorted(([one], [other]) => one - other),
  };
}

export type ReturnWorld = Awaited<ReturnType<typeof returnWorld>>;
