import type { ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import { finalIn } from './fits.ts';
import { has, number, text } from './items.ts';
import type { Ledger } from './ledger.ts';
import { LONGEST_CALL } from './longest-call.ts';
import type { TrueSending, Truth } from './truth.ts';
import { must } from './violation.ts';

/** When an order comes to the custodian, and what is so then. */
interface Ordered {
  readonly order: ReturnOrder;
  readonly ledger: Ledger;
  readonly truth: Pick<Truth, 'sendings' | 'transfers'>;
  readonly now: number;
  readonly skew: number;
}

/**
 * What holds of an order that the custodian is about to take: money leaves once, for what is written, and only while what
 * came in is there.
 *
 * @throws {Violation}
 */
export function checkOrder({ order, ledger, truth, now, skew }: Ordered): void {
  const { externalId, network, assetId, amount, from, to } = order;
  const [, depositId = '', n = ''] = /^(.*)-(\d+)$/.exec(externalId) ?? [];
  const id = ledger.depositIds.get(depositId) ?? '';
  const deposit = ledger.deposits.get(id);
  const left = deposit?.['return']?.M;
  const isWritten = has(left, 'sendingAt') && number(deposit, 'lastSending') === Number(n);
  must('what is ordered was written before', isWritten, { externalId, is: number(deposit, 'lastSending') });
  must('what was sent back is not sent again', !has(left, 'returnedAt'), { externalId });
  const facts = { network, assetId, amount, from, to: to.address, tag: to.tag ?? '' };
  const asked = {
    network: text(deposit, 'network'),
    ...{ assetId: text(left, 'assetId'), amount: text(left, 'amount'), from: text(left, 'from') },
    ...{ to: text(left, 'address'), tag: text(left, 'tag') },
  };
  must('what is sent is what was frozen', JSON.stringify(facts) === JSON.stringify(asked), {
    externalId,
    facts,
    asked,
  });
  const open = truth.sendings.filter((sent) => sent.depositId === depositId && !isOver(sent, now));
  must('nothing is sent while an earlier sending may still arrive', open.length === 0, {
    externalId,
    open: open.map((sent) => sent.externalId ?? 'by hand'),
  });
  const incoming = truth.transfers.find(({ facts: { custodianTransferId } }) => custodianTransferId === id);
  // It was asked for just before, and an answer may be old.
  const wasThere = incoming !== undefined && finalIn(incoming, now - ASKED - LONGEST_CALL - skew, now);
  must('only money that is there is sent back', wasThere, { externalId });
}

/** Milliseconds: under an id that is written, the order may be given again for as long as nobody knows what became of it. */
const ASKED = 3600_000;

/** Whether the custodian says that it has ended without success and its chain cannot take it any more; or it never will. */
function isOver({ phases }: TrueSending, now: number): boolean {
  const phase = phases.findLast(({ at }) => at <= now);
  const mayArrive = phases.some(({ at, state }) => at > now && state === 'COMPLETED');
  return phase?.state === 'FAILED' && !(phase.mayStillArrive === true && mayArrive);
}
