import { createHash } from 'node:crypto';
import type { Network } from '#shared/networks/network.ts';
import {
  type Custodian,
  CustodianUnavailable,
  type ReturnOrder,
  SendingRefused,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer, Sending } from '#shared/off-ramps/custodians/outgoing.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import { paysFee } from '#test/simulation/books/fits.ts';
import type { SendingPhase, TrueSending } from '#test/simulation/books/truth.ts';
import { phasesOfSending } from '#test/simulation/world/chain/sending-phases.ts';
import { newTransactionHash } from '#test/simulation/world/chain/transaction-hash.ts';

/** Probabilities of one order. */
export interface SendingFaults {
  /** It does not arrive at the custodian, and no answer comes. */
  readonly lostOrder: number;
  /** It is taken, and the answer is lost. */
  readonly lostAnswer: number;
  /** It is refused with an answer; orders of some deposits are refused each time. */
  readonly refused: number;
}

/** Habits for one order. Probabilities. */
export interface SendingManners {
  readonly unusual: number;
  /** Somebody moves the same amount again, to another account of the owner or the same recipient, and tells nobody. */
  readonly moved: number;
}

/** The greatest age of an answer, in milliseconds. */
const STALEST = 120_000;

export type SendingMembers = Required<Pick<Custodian, 'send' | 'findSending' | 'findOutgoing'>>;

export interface Sendings extends SendingMembers {
  /** Everything ever sent, in order. */
  readonly all: readonly TrueSending[];
  /** Filters the sendings by the custodian's current report, or one of a moment ago. */
  said(which: (sending: SaidSending) => boolean): readonly SaidSending[];
  /** Sends money by hand from an account of the stage, and returns the hash. */
  sendByHand(order: Omit<ReturnOrder, 'externalId'>, depositId: string): string;
  /** Has each boosted sending dealt with: the custodian reports for ever that the given-up one may still arrive. */
  whenBoosted(deal: (sent: TrueSending) => void): void;
}

/** A sending, and the custodian's report of it. */
export interface SaidSending {
  readonly sent: TrueSending;
  readonly phase: SendingPhase;
}

interface Parts {
  readonly answered: <Answer>(work: () => Answer) => Promise<Answer>;
  readonly faults: SendingFaults & { readonly stale: number };
  readonly manners: SendingManners;
  /** Called with each order before it is taken; throws if the order breaks a rule. */
  readonly onOrder: (order: ReturnOrder) => void;
  readonly onTaken: (sent: TrueSending) => void;
}

/** The accounts that money leaves. An external id stands for one order for ever: it leaves once, late, or never. */
export function createSendings(
  { schedule, random, trace }: Host,
  { answered, faults, manners, onOrder, onTaken }: Parts,
): Sendings {
  const all: TrueSending[] = [];
  let dealWithBoosted = (_: TrueSending) => {};
  const now = () => schedule.clock.now().getTime();

  function take(
    order: TrueSending['order'],
    of: Pick<TrueSending, 'externalId' | 'depositId' | 'boosts'>,
  ): TrueSending {
    const txHash = newTransactionHash(order.network, random);
    const isUnusual = of.boosts === undefined && random.chance(manners.unusual);
    const phases = phasesOfSending(order.network, isUnusual, random, { hasId: of.externalId !== undefined });
    const dated = phases.map(({ after, hasHash, ...phase }) => ({
      at: now() + after,
      ...phase,
      ...(hasHash && { txHash }),
    }));
    const fee = { assetId: `${order.network}:native`, amount: feeOf(txHash) };
    const sent = { ...of, order, movementId: movementIdOf(txHash), takenAt: now(), phases: dated, fee };
    trace(() => `leaves as ${of.externalId ?? 'sent by hand'}: ${order.amount} to ${order.to.address} by ${txHash}`);
    all.push(sent);
    onTaken(sent);
    // An order that is given up is boosted by somebody: a transaction of its own, with the same nonce.
    if (phases.at(-1)?.mayStillArrive)
      dealWithBoosted(take(order, { depositId: of.depositId, boosts: sent.movementId }));
    return sent;
  }

  /** A broken rule ends the round; the service does not see the error. */
  function reportOrder(order: ReturnOrder): void {
    try {
      onOrder(order);
    } catch (error) {
      schedule.fail(error);
    }
  }

  const phaseNow = ({ phases }: TrueSending): SendingPhase | undefined => {
    const time = random.chance(faults.stale) ? now() - random.below(STALEST) : now();
    // The custodian always knows an order that it has taken.
    return phases.findLast(({ at }) => at <= time) ?? phases[0];
  };

  const said: Sendings['said'] = (which) =>
    all.flatMap((sent) => {
      const phase = phaseNow(sent);
      return phase !== undefined && which({ sent, phase }) ? [{ sent, phase }] : [];
    });

  return {
    all,
    said,
    whenBoosted: (deal) => {
      dealWithBoosted = deal;
    },

    send: async (order) => {
      if (random.chance(faults.lostOrder)) throw new CustodianUnavailable('No answer.');
      await answered(() => {
        const known = all.find(({ externalId }) => externalId === order.externalId);
        if (known !== undefined) return;
        const isRefused = faults.refused > 0 && isNeverTaken(depositOf(order.externalId));
        if (isRefused || random.chance(faults.refused)) throw new SendingRefused('A policy does not allow it.');
        reportOrder(order);
        const { externalId, ...what } = order;
        take(what, { externalId, depositId: depositOf(externalId) });
        const to = random.pick([order.to, { address: treasuryAccount(order.network) }]);
        if (random.chance(manners.moved)) take({ ...what, to }, { depositId: '' });
      });
      if (random.chance(faults.lostAnswer)) throw new CustodianUnavailable('No answer.');
    },

    findSending: ({ network, externalId }) =>
      answered((): Sending | undefined => {
        const [found] = said(({ sent }) => sent.externalId === externalId && sent.order.network === network);
        if (found === undefined) return undefined;
        const { state, txHash, mayStillArrive } = found.phase;
        trace(() => `custodian says of ${externalId}: ${state}`);
        const moved = txHash === undefined ? {} : { txHash, movementId: found.sent.movementId };
        return { state, ...moved, ...(mayStillArrive !== undefined && { mayStillArrive }) };
      }),

    findOutgoing: ({ network, txHash, since }) =>
      answered(() => {
        const left = said(
          ({ sent, phase }) =>
            sent.order.network === network && sent.takenAt >= Date.parse(since) && phase.txHash === txHash,
        ).map(outgoing);
        trace(() => `custodian says of ${txHash} that left: ${left.map(({ state }) => state).join(', ') || 'nothing'}`);
        return left;
      }),

    sendByHand: (order, depositId) => take(order, { depositId }).phases.at(-1)?.txHash ?? '',
  };
}

export const states = { PENDING: 'UNCONFIRMED', COMPLETED: 'CONFIRMED', FAILED: 'FAILED' } as const;

/** Returns a sending as the custodian, or a chain, reports it. */
export function outgoing({ sent, phase }: SaidSending): OutgoingTransfer {
  const { order, externalId, movementId, takenAt, fee } = sent;
  const { network, assetId, amount, from, to } = order;
  const { state, txHash = '' } = phase;
  return {
    ...{ movementId, network, txHash, state: states[state], from, assetId, amount },
    ...(externalId !== undefined && { externalId }),
    toAddress: to.address,
    ...(to.tag !== undefined && { toTag: to.tag }),
    ...(paysFee(phase) && { fee }),
    createdAt: new Date(takenAt).toISOString(),
  };
}

/** An order's id is its deposit's id with a number. */
const depositOf = (externalId: string) => externalId.replace(/-\d+$/, '');

const firstByte = (text: string) => createHash('sha256').update(text).digest()[0] ?? 0;

/** True for one of eight deposits. Derived from the id, so that it draws nothing from `random`. */
const isNeverTaken = (depositId: string) => firstByte(depositId) < 32;

/** A fee that differs between transactions. */
const feeOf = (txHash: string) => `0.000${1 + firstByte(txHash)}`;

const movementIdOf = (txHash: string) => `out-${createHash('sha256').update(txHash).digest('hex').slice(0, 12)}`;

/** The account that returns are sent from on a network, and another account of the same owner. */
export const returnAccount = (network: Network) => `returns of ${network}`;
export const treasuryAccount = (network: Network) => `treasury of ${network}`;

export const isSweep = ({ order }: Pick<TrueSending, 'order'>) => order.to.address === treasuryAccount(order.network);
