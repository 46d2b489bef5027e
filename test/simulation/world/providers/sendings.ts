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
  /** It does not arrive, and nobody says so. */
  readonly lostOrder: number;
  /** It is taken, and nobody says so. */
  readonly lostAnswer: number;
  /** It is not taken, and the custodian says so; of some deposits no order is, each time. */
  readonly refused: number;
}

/** What becomes of one order: courses of it that are not the usual one. Probability of any of them. */
export interface SendingManners {
  readonly unusual: number;
  /** Somebody moves as much again of the same, to an account of the owner or to nobody knows whom, and tells nobody. */
  readonly moved: number;
}

/** Milliseconds by which an answer is old at most. */
const STALEST = 120_000;

export type SendingMembers = Required<Pick<Custodian, 'send' | 'findSending' | 'findOutgoing'>>;

export interface Sendings extends SendingMembers {
  /** Everything that was ever sent, in its order. */
  readonly all: readonly TrueSending[];
  /** Those that are so as the custodian says them now, or said them a moment ago. */
  said(which: (sending: SaidSending) => boolean): readonly SaidSending[];
  /** A person sends money out of an account of the stage, and gets the hash. */
  sendByHand(order: Omit<ReturnOrder, 'externalId'>, depositId: string): string;
}

/** What was sent, and what its custodian has of it. */
export interface SaidSending {
  readonly sent: TrueSending;
  readonly phase: SendingPhase;
}

interface Parts {
  readonly answered: <Answer>(work: () => Answer) => Promise<Answer>;
  readonly faults: SendingFaults & { readonly stale: number };
  readonly manners: SendingManners;
  /** Is told of each order before it is taken, and throws if it must not be. */
  readonly onOrder: (order: ReturnOrder) => void;
}

/** The accounts that money leaves: an id is one order for ever, whose money leaves once, late, or not at all. */
export function createSendings(
  { schedule, random, trace }: Host,
  { answered, faults, manners, onOrder }: Parts,
): Sendings {
  const all: TrueSending[] = [];
  const now = () => schedule.clock.now().getTime();

  function take(
    order: TrueSending['order'],
    of: Pick<TrueSending, 'externalId' | 'depositId' | 'boosts'>,
  ): TrueSending {
    const txHash = newTransactionHash(order.network, random);
    const isUnusual = random.chance(manners.unusual);
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
    // Nothing becomes of it any more: somebody boosts it, which is a transaction of its own, with its nonce.
    if (phases.at(-1)?.mayStillArrive) take(order, { depositId: of.depositId, boosts: sent.movementId });
    return sent;
  }

  /** A rule that breaks ends the round, and does not reach the service. */
  function told(order: ReturnOrder): void {
    try {
      onOrder(order);
    } catch (error) {
      schedule.fail(error);
    }
  }

  const phaseNow = ({ phases }: TrueSending): SendingPhase | undefined => {
    const time = random.chance(faults.stale) ? now() - random.below(STALEST) : now();
    // What it has taken it knows.
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

    send: async (order) => {
      if (random.chance(faults.lostOrder)) throw new CustodianUnavailable('No answer.');
      await answered(() => {
        const known = all.find(({ externalId }) => externalId === order.externalId);
        if (known !== undefined) return;
        const isRefused = faults.refused > 0 && isNeverTaken(depositOf(order.externalId));
        if (isRefused || random.chance(faults.refused)) throw new SendingRefused('A policy does not allow it.');
        told(order);
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

const states = { PENDING: 'UNCONFIRMED', COMPLETED: 'CONFIRMED', FAILED: 'FAILED' } as const;

/** What the custodian, or a chain, has of a transaction. */
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

/** The id of an order has that of its deposit before its number. */
const depositOf = (externalId: string) => externalId.replace(/-\d+$/, '');

const firstByte = (text: string) => createHash('sha256').update(text).digest()[0] ?? 0;

/** One of eight deposits, by its id: it takes no chance from anything else. */
const isNeverTaken = (depositId: string) => firstByte(depositId) < 32;

/** Of each transaction another one. */
const feeOf = (txHash: string) => `0.000${1 + firstByte(txHash)}`;

const movementIdOf = (txHash: string) => `out-${createHash('sha256').update(txHash).digest('hex').slice(0, 12)}`;

/** The account that returns leave on a network, and another one of its owner. */
export const returnAccount = (network: Network) => `returns of ${network}`;
export const treasuryAccount = (network: Network) => `treasury of ${network}`;
