import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { type EndStatus, endStatuses, type OffRamp } from '#shared/off-ramps/off-ramp.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { offRamp, transfer } from '#test/support/off-ramp.ts';
import type { ChainTransfer, Outage, Phase } from './chain.ts';

/** Milliseconds since 1970. */
export const START = Date.parse('2026-08-01T12:00:00.000Z');

/** Seconds. */
const WINDOW = 600;

/** What somebody outside of the service does, once. Times in milliseconds since 1970. */
export type Act = { readonly at: number } & (
  | { readonly does: 'create' | 'intrude' | 'cancel'; readonly operation: OffRamp }
  | { readonly does: 'submit'; readonly operation: OffRamp; readonly txHash: string }
  | { readonly does: 'end'; readonly operation: OffRamp; readonly status: EndStatus }
  | { readonly does: 'notify'; readonly transfer: ChainTransfer }
);

/** Everything of a round that does not depend on the service. */
export interface Script {
  readonly acts: readonly Act[];
  readonly operations: readonly OffRamp[];
  readonly chain: readonly ChainTransfer[];
  readonly outages: readonly Outage[];
  /** Nothing changes outside of the service from then on. Milliseconds since 1970. */
  readonly quietFrom: number;
  /** Whether what is looked for and can no longer be found is looked for to the end all the same. */
  readonly isPlayedOut: boolean;
}

const HASHES = [`0x${'a'.repeat(64)}`, `0x${'b'.repeat(64)}`, `0x${'c'.repeat(64)}`] as const;

/** Soon after the creation, some around the end of the window, some long after it. */
const MOMENTS = [5, 5, 5, 6, 8, 25, 70, 240, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 100, WINDOW + 400] as const;

/** A few operations, twins among them; a few transactions, wrong ones among them; and who does what about them when. */
export function writeScript(random: Random): Script {
  // Most of it at one time, so that it meets.
  const hot = random.pick(MOMENTS);
  const moment = () => START + (random.chance(0.6) ? hot : random.pick(MOMENTS)) * 1000;
  const operations = writeOperations(random, moment);
  const chain = writeChain(random, moment, operations);
  const [first, ...others] = operations;
  const some = (): OffRamp => random.pick([first, ...others]);
  const acts: Act[] = operations.map((operation) => ({
    at: Date.parse(operation.createdAt),
    does: 'create',
    operation,
  }));
  for (let submissions = random.below(5); submissions > 0; submissions -= 1) {
    acts.push({ at: moment(), does: 'submit', operation: some(), txHash: random.pick(HASHES) });
  }
  for (const sent of chain) {
    for (const { at } of sent.phases)
      if (random.chance(0.6)) acts.push({ at: at + random.below(3000), does: 'notify', transfer: sent });
  }
  if (random.chance(0.25)) acts.push({ at: moment(), does: 'cancel', operation: some() });
  if (random.chance(0.2)) {
    acts.push({ at: moment(), does: 'end', operation: some(), status: random.pick(endStatuses) });
  }
  if (random.chance(0.05)) {
    const operation = { ...first, ...strangersFacts(random), operationId: random.id(), address: first.address };
    acts.push({ at: START + 300_000, does: 'intrude', operation });
  }
  const outages = random.chance(0.2) ? [writeOutage(random, moment)] : [];
  const changes = [...acts.map(({ at }) => at), ...chain.flatMap(({ phases }) => phases.map(({ at }) => at))];
  const quietFrom = Math.max(...changes, ...outages.map(({ until }) => until));
  return { operations, chain, acts, outages, quietFrom, isPlayedOut: random.chance(0.03) };
}

function writeOperations(random: Random, moment: () => number): readonly [OffRamp, ...OffRamp[]] {
  const create = (createdAt: number, differences: Partial<OffRamp>): OffRamp => {
    const at = new Date(createdAt).toISOString();
    const expiresAt = new Date(createdAt + WINDOW * 1000).toISOString();
    const statusHistory = [{ status: 'AWAITING_DEPOSIT', at } as const];
    return offRamp({ operationId: random.id(), createdAt: at, expiresAt, statusHistory, ...differences });
  };
  const twin = create(START, {});
  const others: OffRamp[] = [];
  if (random.chance(0.7)) others.push(create(random.chance(0.7) ? START + 1 : moment(), {}));
  if (random.chance(0.2)) others.push(create(START + 2, {}));
  if (random.chance(0.7)) others.push(create(START + 3, strangersFacts(random)));
  return [twin, ...others];
}

/** Of another client, with an address of its own. */
function strangersFacts(random: Random): Partial<OffRamp> {
  return {
    clientId: random.id(),
    userId: random.id(),
    address: `0x${'c3'.repeat(20)}`,
    senderAddress: `0x${'d4'.repeat(20)}`,
    amount: '77',
  };
}

function writeChain(
  random: Random,
  moment: () => number,
  operations: readonly [OffRamp, ...OffRamp[]],
): readonly ChainTransfer[] {
  const chain: ChainTransfer[] = [];
  for (const txHash of HASHES.slice(0, 1 + random.below(2))) {
    const phases = writePhases(random, moment());
    for (let transfers = random.chance(0.2) ? 2 : 1; transfers > 0; transfers -= 1) {
      const { state: _, confirmations: __, ...facts } = sentTo(random, random.pick(operations));
      chain.push({ facts: { ...facts, txHash, custodianTransferId: `t${chain.length}` }, phases });
    }
  }
  return chain;
}

/** What the operation waits for, or something that differs from it. */
function sentTo(random: Random, operation: OffRamp): CustodianTransfer {
  const { address: toAddress, senderAddress: fromAddress, custodianAssetId: assetId, amount } = operation;
  const right = transfer({ toAddress, fromAddress, assetId, amount });
  if (random.chance(0.75)) return right;
  return {
    ...right,
    ...random.pick<Partial<CustodianTransfer>>([
      { amount: '1' },
      { fromAddress: `0x${'e5'.repeat(20)}` },
      { assetId: 'ETHEREUM:USDC.e' },
      { toAddress: `0x${'f6'.repeat(20)}` },
    ]),
  };
}

function writePhases(random: Random, startsAt: number): readonly Phase[] {
  const phase = (at: number, state: Phase['state'], confirmations: number, isKnown = true): Phase => ({
    at,
    state,
    confirmations,
    isKnown,
  });
  const later = startsAt + (1 + random.below(400)) * 1000;
  const muchLater = later + (1 + random.below(2000)) * 1000;
  const confirmed = (at: number) => phase(at, 'CONFIRMED', 20);
  if (random.chance(0.003)) return [phase(startsAt, 'HELD', 20)];
  return random.pick<readonly Phase[]>([
    [confirmed(startsAt)],
    [confirmed(startsAt)],
    [phase(startsAt, 'UNCONFIRMED', 0, false), confirmed(later)],
    [phase(startsAt, 'UNCONFIRMED', 0), phase(later, 'UNCONFIRMED', 1), confirmed(muchLater)],
    [phase(startsAt, 'CONFIRMED', 1), confirmed(later)],
    [phase(startsAt, 'HELD', 20), confirmed(later)],
    [phase(startsAt, 'UNCONFIRMED', 0), phase(later, 'FAILED', 0)],
    [confirmed(startsAt), phase(later, 'FAILED', 0)],
    [confirmed(startsAt), phase(later, 'HELD', 20), confirmed(muchLater)],
  ]);
}

function writeOutage(random: Random, moment: () => number): Outage {
  const from = moment();
  return { from, until: from + (10 + random.below(900)) * 1000 };
}
