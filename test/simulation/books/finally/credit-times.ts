import { networkSpecs } from '#shared/networks/network.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { fits, isFinal, isFinalFrom, ownerOf } from '../fits.ts';
import { has, instant, text } from '../items.ts';
import type { TrueCall, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Milliseconds. */
const MINUTE = 60_000;

/** While nothing fails, an expected deposit is credited soon after it is final and the service knows of it. */
export function checkCreditTimes({ ledger, truth, now, skew }: Aftermath): void {
  if (!truth.isQuiet) return;
  for (const transfer of truth.transfers) {
    const operation = ownerOf(ledger.operations.values(), transfer.facts);
    if (operation === undefined || !fits(operation, transfer.facts)) continue;
    const finalAt = finalSince(transfer);
    if (finalAt === undefined || finalAt < instant(operation, 'createdAt')) continue;
    const told = toldOf(transfer, operation, finalAt, truth.calls);
    const due = Math.min(...told.map((one) => dueAt(transfer, finalAt, one))) + skew;
    const endedAt = endOf(operation);
    const isOver = endedAt <= due + MINUTE || due > now || fundsAnother(transfer, operation, ledger.claims);
    must('money that was awaited is credited within its finality and a minute', isOver, {
      id: text(operation, 'operationId'),
      custodianTransferId: transfer.facts.custodianTransferId,
      late: (endedAt - due) / MINUTE,
    });
  }
}

/** Returns when a transfer became final; `undefined` if it was misread, or did not stay final. */
function finalSince(transfer: TrueTransfer): number | undefined {
  const first = transfer.phases.find((phase) => isFinal(phase));
  const isPlain = transfer.phases.every(({ isMisread }) => isMisread !== true);
  return first !== undefined && isPlain && isFinalFrom(transfer, first.at) ? first.at : undefined;
}

/** Milliseconds before the end of a window at which its last poll may be made. */
const EARLY = 2000;

interface Told {
  readonly at: number;
  readonly by: 'CUSTODIAN' | 'CLIENT';
}

/**
 * Lists when the service was told of the transfer: by the custodian, or by the client if all its reports name this
 * hash. After a report before the end of the window, the service polls until then.
 */
function toldOf(
  { facts, notifiedAt }: TrueTransfer,
  operation: Item,
  finalAt: number,
  calls: readonly TrueCall[],
): readonly Told[] {
  const path = `/${text(operation, 'operationId')}/hash`;
  const accepted = calls.filter(
    ({ method, path: asked, answer }) => method === 'POST' && asked.endsWith(path) && answer?.status === 202,
  );
  const isSame = accepted.every(({ answer }) => answer?.body.includes(facts.txHash) === true);
  const reportedAt = isSame ? accepted.map(({ answer }) => answer?.at ?? 0) : [];
  const until = instant(operation, 'expiresAt') - EARLY;
  // Reporting the same hash again starts a search, which polls again for the first six reports.
  const again = reportedAt.slice(0, 6).find((at) => at >= finalAt);
  const first = [reportedAt.find((at) => at < until), reportedAt.find((at) => at >= until), again];
  const reported = first.filter((at) => at !== undefined).filter((at) => finalAt <= Math.max(until, at));
  return [
    ...notifiedAt.map((at) => ({ at, by: 'CUSTODIAN' as const })),
    ...reported.map((at) => ({ at, by: 'CLIENT' as const })),
  ];
}

/**
 * Polls become rarer after the report: first at the network's finality, then in proportion to the elapsed time. A
 * reported hash that stays unknown for long is polled when three times as much time has passed.
 */
function dueAt({ facts }: TrueTransfer, finalAt: number, { at, by }: Told): number {
  if (at >= finalAt) return at;
  const finality = networkSpecs[facts.network].finalitySeconds * 1000;
  return finalAt + Math.max(finality, (by === 'CLIENT' ? 2 : 1) * (finalAt - at));
}

/** Returns when the operation stopped awaiting a deposit; infinity while it still does. */
function endOf(operation: Item): number {
  if (text(operation, 'status') === 'AWAITING_DEPOSIT') return Number.POSITIVE_INFINITY;
  return instant(operation, has(operation, 'creditedAt') ? 'creditedAt' : 'endedAt');
}

function fundsAnother({ facts }: TrueTransfer, operation: Item, claims: ReadonlyMap<string, Item>): boolean {
  const funded = text(claims.get(`FUNDED#${facts.txHash}`), 'operationId');
  return funded !== '' && funded !== text(operation, 'operationId');
}
