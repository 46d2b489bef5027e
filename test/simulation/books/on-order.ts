import type { ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import { finalIn } from './fits.ts';
import { has, number, text } from './items.ts';
import type { Ledger } from './ledger.ts';
import { LONGEST_CALL } from './longest-call.ts';
import type { TrueSending, Truth } from './truth.ts';
import { must } from './violation.ts';

/** An order that reaches the custodian, with the state of the world then. */
interface Ordered {
  readonly order: ReturnOrder;
  readonly ledger: Ledger;
  readonly truth: Pick<Truth, 'sendings' | 'transfers'>;
  readonly now: number;
  readonly skew: number;
}

/**
 * Checks an order before the custodian takes it: money leaves once, as written, and only while the deposit is there.
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
  // The service asked the custodian shortly before, and the answer may be stale.
  const wasThere = incoming !== undefined && finalIn(incoming, now - ASKED - LONGEST_CALL - skew, now);
  must('only money that is there is sent back', wasThere, { externalId });
}

/** Milliseconds for which a written order may be repeated under its id while its fate is unknown. */
const ASKED = 3600_000;

/** True if the sending failed for good, or the custodian reports a failure after which it never arrives. */
function isOver({ phases }: TrueSending, now: number): boolean {
  const phase = phases.findLast(({ at }) => at <= now);
  const mayArrive = phases.some(({ at, state }) => at > now && state === 'COMPLETED');
  return phase?.state === 'FAILED' && !(phase.mayStillArrive === true && mayArrive);
}
