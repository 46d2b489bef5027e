import type { Change } from '../change.ts';
import { instant, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Shares, Written } from '../written.ts';

/** Replays that run at a time, and requests for a replay per minute. */
const REPLAYS = 1;
const REPLAY_REQUESTS = 4;

/** Checks a write of a slot: each slot has one holder, and an owner has only as many slots as its share. */
export function checkSlot({ before, after }: Change, { ledger, now, skew, shares }: Written): void {
  if (after === undefined) return;
  const slot = text(after, 'slot');
  const [, lane = '', owner = '', position = ''] = slot.split('#');
  const share = shareOf(lane, ledger.webhooks.has(owner), shares);
  must('nobody has more slots than its share', Number(position) < share, { slot, share });
  const isOther = before !== undefined && text(before, 'token') !== text(after, 'token');
  const isFree = !isOther || instant(before, 'leaseUntil') <= now + skew;
  must('a slot has one holder', isFree, { slot, leaseUntil: text(before, 'leaseUntil') });
}

function shareOf(lane: string, isWebhook: boolean, shares: Shares): number {
  if (lane === 'replays') return REPLAYS;
  if (lane === 'replay-requests') return REPLAY_REQUESTS;
  const share = lane === 'first' ? shares.first : shares.retries;
  return isWebhook ? share.perWebhook : share.perClient;
}
