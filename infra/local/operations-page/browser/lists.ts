import * as z from 'zod/mini';
import { badge, element, shortCode, table } from './elements.ts';
import { time } from './times.ts';

/** The lists of operators, by the names of their commands. */
export const lists: Readonly<Record<string, string>> = {
  waiting: 'Waiting for a deposit',
  unmatched: 'Unmatched deposits',
  contradictions: 'Contradictions',
  owed: 'Owed deposits',
  unpaid: 'Late payouts',
  mismatched: 'Mismatched pay-ins',
  'failing-webhooks': 'Failing webhooks',
  'dead-letters': 'Dead letters',
};

const list = z.object({ items: z.array(z.record(z.string(), z.unknown())), nextSince: z.optional(z.string()) });

/** Of a page of a list: `3`, or `50+` where it goes on. Of dead letters, those queues that have some. */
export function countOf(answer: unknown): string {
  const { items, nextSince } = list.parse(answer);
  const count = items.filter(({ messages }) => messages !== 0).length;
  return nextSince === undefined ? String(count) : `${count}+`;
}

/** A list as a table, the longest waiting first, as the service sorts it. */
export function listView(name: string, answer: unknown): HTMLElement {
  const { items, nextSince } = list.parse(answer);
  const title = lists[name] ?? name;
  if (items.length === 0) return element('p', {}, 'Nothing waits here.');
  const fields = Object.keys(headings).filter((field) => items.some((item) => item[field] !== undefined));
  const rows = items.map((item) => fields.map((field) => cell(field, item[field])));
  return element(
    'div',
    {},
    table(
      title,
      fields.map((field) => headings[field] ?? field),
      rows,
    ),
    nextSince === undefined ? undefined : element('p', {}, nextPage(name, nextSince)),
  );
}

/** The page of the list that begins at this time. */
function nextPage(name: string, since: string): HTMLElement {
  return element('a', { href: `/operations?${new URLSearchParams({ list: name, since })}` }, 'There are more');
}

/** What is shown of an item, in this order. */
const headings: Readonly<Record<string, string>> = {
  queue: 'Queue',
  messages: 'Messages',
  operationId: 'Off-ramp',
  payinId: 'Pay-in',
  webhookId: 'Webhook',
  host: 'Host',
  failures: 'Failures',
  isActive: 'Active',
  amount: 'Amount',
  token: 'Token',
  assetId: 'Asset',
  currency: 'Currency',
  paid: 'Paid',
  who: 'Who acts',
  what: 'What happens next',
  since: 'Since',
  status: 'Status',
  hash: 'Hash',
  reason: 'Reason',
  reasons: 'Reasons',
  said: 'Said',
  statusReason: 'Reason',
  network: 'Network',
  custodianTransferId: 'Deposit',
  clientId: 'Client',
};

/** Commands that look one thing up, by the field that has its id. */
const lookups: Readonly<Record<string, string>> = {
  operationId: 'operation',
  custodianTransferId: 'deposit',
  payinId: 'payin',
};

function cell(field: string, value: unknown): Node | string | undefined {
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  const lookup = lookups[field];
  if (lookup !== undefined) return link(lookup, text);
  if (field === 'since') return time(text);
  if (field === 'status' || field === 'hash' || field === 'who') return badge(text);
  return field.endsWith('Id') ? shortCode(text) : text;
}

export function link(lookup: string, text: string): HTMLElement {
  return element('a', { href: `/operations?${new URLSearchParams({ [lookup]: text })}` }, shortCode(text));
}
