import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { differing, expiry, has, hasAllOrNone, instant, number, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';

const MOST_WEBHOOKS = 100;
const MOST_ACTIVE = 10;
const MOST_SECRETS = 3;
const DEACTIVATION = ['statusReason', 'deactivatedAt'];

/** Milliseconds: the longest time for which a circuit is open. */
const LONGEST_OPEN = 30 * 60 * 1000;

/** Checks a write of a webhook. */
export function checkWebhook({ before, after }: Change, { now, skew }: Written): void {
  const id = text(after ?? before, 'webhookId');
  const [wasActive, isActive] = [before?.['status']?.BOOL === true, after?.['status']?.BOOL === true];
  if (after === undefined) {
    must('only an inactive webhook is removed', !wasActive, { id });
    return;
  }
  const secrets = after['secrets']?.L?.length ?? 0;
  must('a webhook has a secret, and few that it replaced', secrets >= 1 && secrets <= MOST_SECRETS, { id, secrets });
  must('an active webhook has no reason to be inactive', !isActive || !has(after, 'statusReason'), { id });
  must('a webhook has a reason and a time of its deactivation, or neither', hasAllOrNone(after, DEACTIVATION), { id });
  if (before === undefined) {
    must('a webhook begins active', isActive && number(after, 'sequence') === 1, { id });
    return;
  }
  const [seen, sequence] = [number(before, 'sequence'), number(after, 'sequence')];
  must('the sequence of a webhook grows by one with every write', sequence === seen + 1, { id, seen, sequence });
  const changed = differing(before, after, ['clientId', 'userId', 'process', 'createdAt']);
  must('a webhook stays whose it is and what it monitors', changed.length === 0, { id, changed });
  const isSame = text(before, 'activeSince') === text(after, 'activeSince');
  const isNow = instant(after, 'activeSince') + LONGEST_CALL + skew >= now;
  must('a webhook is active since it was made active', !wasActive && isActive ? isNow : isSame, { id });
}

/** Checks a client's number of webhooks, after every transaction that wrote one. */
export function checkWebhookCount({ after }: Revision, { ledger }: Written): void {
  const [clientId, count] = [text(after, 'clientId'), number(after, 'count')];
  const webhooks = ledger.webhookCounts.get(clientId) ?? 0;
  must('the count of webhooks is how many there are', count === webhooks, { clientId, count, webhooks });
  must('a client has a hundred webhooks at most', count <= MOST_WEBHOOKS, { clientId, count });
}

/** Checks the number of active webhooks of a process, after every transaction that activated or deactivated one. */
export function checkActiveCount({ after }: Revision, { ledger }: Written): void {
  const [clientId, id, count] = [text(after, 'clientId'), text(after, 'webhookId'), number(after, 'count')];
  const active = ledger.webhookCounts.get(`${clientId} ${id.split('#')[2]}`) ?? 0;
  must('the count of active webhooks is how many are active', count === active, { clientId, id, count, active });
  must('a client has ten active webhooks of a process at most', count <= MOST_ACTIVE, { clientId, id, count });
}

/** Checks a write of a webhook's health. */
export function checkHealth({ before, after }: Change, { now, skew }: Written): void {
  const id = text(after ?? before, 'webhookId');
  if (after === undefined) {
    must('health is kept until its time is over', expiry(before) <= now + skew, { id });
    return;
  }
  const [seen, version] = [number(before, 'version'), number(after, 'version')];
  must('the health of a webhook is decided on as it was read', version === seen + 1, { id, seen, version });
  const isShort = !has(after, 'parkedUntil') || instant(after, 'parkedUntil') <= now + skew + LONGEST_OPEN;
  must('a circuit is open for half an hour at most', isShort, { id, until: text(after, 'parkedUntil') });
  must('what fails is in the index of it', hasAllOrNone(after, ['failingShard', 'failingSince']), { id });
}

/** Checks a write of a client: a review is written as a whole, based on the state that was read. */
export function checkClient({ before, after }: Revision, { now }: Written): void {
  const secretsOf = (client: Item | undefined) => JSON.stringify(client?.['secretDigests']);
  // A new secret is no review.
  if (before === undefined || secretsOf(before) !== secretsOf(after)) return;
  const [id, seen, sequence] = [text(after, 'clientId'), number(before, 'sequence'), number(after, 'sequence')];
  must('the sequence of a client grows by one with every review', sequence === seen + 1, { id, seen, sequence });
  const [applied, ...earlier] = (after['resultIds']?.L ?? []).map(({ S }) => S);
  must('a review of a client is applied once', applied !== undefined && !earlier.includes(applied), { id, applied });
  const isApproved = (client: Item) =>
    [text(client, 'complianceStatus'), text(client, 'status')].join() === 'approved,approved';
  const withheldAt = text(before['withheld']?.M, 'at');
  const mayApprove = withheldAt === '' || withheldAt.slice(0, 19) < new Date(now).toISOString().slice(0, 19);
  must(
    'a client that was suspended is not approved within the same second',
    !isApproved(after) || isApproved(before) || mayApprove,
    {
      id,
      withheldAt,
    },
  );
}
