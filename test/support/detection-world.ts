import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { poll } from '#functions/off-ramps/match-deposit/poll.ts';
import { searchHash } from '#functions/off-ramps/match-deposit/search-hash.ts';
import { releaseDueDeposits } from '#functions/off-ramps/release-due-deposits/release-due-deposits.ts';
import type {
  AskForTransfers,
  CustodianTransfer,
  FoundTransfer,
  NotifiedTransfer,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { readTransferOf } from '#shared/off-ramps/custodians/normal-form.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { assignedAddressesOf } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements } from '#shared/off-ramps/store/claims.ts';
import type { DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { CreditResult } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { depositsInMemory } from './deposits-in-memory.ts';
import { fakeClock } from './fake-clock.ts';
import { CLIENT } from './ids.ts';
import { CREATED_AT, HASH, offRamp, RULES, transfer } from './off-ramp.ts';

type Outcome = CreditResult['outcome'];

interface World {
  /** The transfers of the transaction that the custodian knows. */
  readonly transfers?: readonly unknown[];
  /** Differences of the notified transfer from `NOTIFIED`. */
  readonly about?: Partial<NotifiedTransfer>;
  /** The operation that owns the address of the transfer; by default one that awaits another amount. */
  readonly operation?: Partial<OffRamp>;
  /** True if no operation owns the address of the transfer. */
  readonly isNobodys?: true;
  readonly restoredAt?: string;
  /** True if a restore has lost the operation, but not its address. */
  readonly isLost?: true;
  /** Deposits that the operation has already. */
  readonly deposits?: number;
  readonly outcome?: Outcome;
  readonly now?: string;
  /** Seconds to the network's finality; 180 by default. */
  readonly finalitySeconds?: number;
}

/** A message of the queue, and when the queue hands it out. */
interface Message extends DepositPoll {
  readonly by: 'POLL' | 'SWEEP';
  readonly at: number;
  readonly delaySeconds: number;
}

export const NOTIFIED = { custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH } as const;

const NAME = 'custodian';

/** These tests have one custodian, and use its own ids, without the prefix of its name. */
function withoutName(transfer: FoundTransfer): FoundTransfer {
  return { ...transfer, custodianTransferId: transfer.custodianTransferId.slice(`${NAME}:`.length) };
}

/** The detection of deposits with its table, its queue and its sweep, and a custodian whose answers the test sets. */
export function detectionWorld(given: World = {}) {
  const { outcome = 'CREDITED', now = CREATED_AT, finalitySeconds = 180 } = given;
  const notification = { ...NOTIFIED, ...given.about };
  const clock = fakeClock(now);
  const table = depositsInMemory();
  const custodian: {
    transfers: readonly unknown[];
    fault?: Error | undefined;
    /** The answer about a transfer that the search does not find; by default there is none. */
    byId?: (seen: CustodianTransfer | undefined) => Awaited<ReturnType<AskForTransfer>>;
  } = {
    transfers: given.transfers ?? [transfer()],
  };
  const asked: {
    readonly at: string;
    readonly since: string;
    readonly wasUnknown: boolean;
    readonly isReported: boolean;
    readonly reportedBy: string | undefined;
  }[] = [];
  const sent: Message[] = [];
  const confirmed: string[] = [];
  const operation = offRamp(given.operation ?? { amount: '7' });

  const sending = (by: Message['by']) => async (message: DepositPoll, delaySeconds: number) => {
    const at = clock.now().getTime() + Math.max(0, Math.ceil(delaySeconds)) * 1000;
    sent.push({ ...message, by, at, delaySeconds });
  };

  const common = {
    deposits: table.deposits,
    polls: table.polls,
    async findTransfers(query: Parameters<AskForTransfers>[0]) {
      const { since, wasUnknown = false, isReported = false, reportedBy } = query;
      asked.push({ at: clock.now().toISOString(), since, wasUnknown, isReported, reportedBy });
      if (custodian.fault !== undefined) throw custodian.fault;
      return custodian.transfers.map((one) => withoutName(readTransferOf(query, NAME, one)));
    },
    sendPoll: sending('POLL'),
    networkRules: { ...RULES, ETHEREUM: { ...RULES.ETHEREUM, finalitySeconds } },
    clock,
  };

  /** Writes to the deposit what the transaction of a confirmation writes. */
  const credit = (to: string, credited: CustodianTransfer = transfer()) => {
    const { custodianTransferId } = credited;
    const {
      nextPollAt,
      dueAt,
      firstNotifiedAt = now,
      lastNotifiedAt = now,
      isNotified,
      sequence = 0,
    } = table.kept(custodianTransferId);
    const times = { firstNotifiedAt, lastNotifiedAt, isNotified, nextPollAt, dueAt };
    const after = { operationId: to, creditedAt: clock.now().toISOString(), sequence: sequence + 1 };
    table.put({ ...NOTIFIED, custodianTransferId, ...times, ...after, transfer: credited });
  };

  const parts = {
    matchDeposit: (due: DepositPoll) =>
      matchDeposit({
        ...common,
        async findTransfer({ custodianTransferId, seen }) {
          if (custodian.fault !== undefined) throw custodian.fault;
          const known = custodian.byId?.(seen);
          return known && { ...known, custodianTransferId };
        },
        findAddressOwners: async (of) =>
          assignedAddressesOf(of).length === 0 ? undefined : given.isNobodys ? [] : [operation],
        countDepositsOf: async () => given.deposits ?? 0,
        minimumDeposits: { 'ETHEREUM:USDC': '1' },
        decimals: { 'ETHEREUM:USDC': 6 },
        fundedBy: async () => undefined,
        movements: createMovements(table.dynamo, 'hashes'),
        eventsTable: 'events',
        ...(given.restoredAt !== undefined && { restoredAt: given.restoredAt }),
        operations: {
          find: async (operationId) => (given.isLost ? undefined : offRamp({ ...operation, operationId })),
        },
        async creditDeposit(operationId, confirming) {
          confirmed.push(operationId);
          if (outcome === 'CREDITED') credit(operationId, confirming);
          return { outcome, operation: offRamp({ ...given.operation, operationId }), reasons: [] };
        },
      })(due),
    searchHash: searchHash({ ...common, searches: table.searches }),
  };
  const sweep = releaseDueDeposits({ ...common, sendPoll: sending('SWEEP'), listClientIds: async () => [CLIENT] });
  const taken = new Set<unknown>();

  return {
    ...table,
    ...parts,
    clock,
    custodian,
    asked,
    sent,
    confirmed,
    sweep,
    credit,
    /** Stores the custodian's notification; returns its poll, which is not made yet. */
    stored: (): Promise<DepositPoll> => table.deposits.remember(notification, clock.now()),
    /** Stores the custodian's notification, and makes its poll. */
    async notified(): Promise<void> {
      await parts.matchDeposit(await table.deposits.remember(notification, clock.now()));
    },
    /**
     * Lets this many seconds pass. Meanwhile the queue hands out its messages, and the sweep runs every minute, except
     * for runs that would find nothing.
     */
    async pass(seconds: number): Promise<void> {
      const end = clock.now().getTime() + seconds * 1000;
      for (;;) {
        const message = sent.filter((one) => !taken.has(one)).toSorted((one, other) => one.at - other.at)[0];
        const nextSweep =
          (Math.floor(Math.max(clock.now().getTime(), table.firstDue() - 60_000) / 60_000) + 1) * 60_000;
        const next = Math.min(message?.at ?? nextSweep, nextSweep);
        if (next > end) break;
        clock.set(new Date(Math.max(next, clock.now().getTime())).toISOString());
        if (message !== undefined && message.at <= next) {
          taken.add(message);
          await poll(parts)(message);
        } else await sweep();
      }
      clock.set(new Date(end).toISOString());
    },
    /** Loses the messages that were sent so far. */
    loseMessages(): void {
      for (const message of sent) taken.add(message);
    },
  };
}
