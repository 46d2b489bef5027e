import * as z from 'zod/mini';
import { badge, element, shortCode, table } from './elements.ts';
import { time } from './times.ts';

/** The lists of operators, by the names of their commands. */
export const lists: Readonly<Record<string, string>> = {
  waiting: 'Waiting for a deposit',
  unmatched: 'Unmatched deposits',
  contradictions: 'Contradictions',
  unreadable: 'Unreadable answers',
  owed: 'Owed deposits',
  unpaid: 'Late payouts',
  mismatched: 'Mismatched pay-ins',
  'failing-webhooks': 'Failing webhooks',
  'dead-letters': 'Dead letters',
};

const list = z.object({ items: z.array(z.record(z.string(), z.unknown())), nextSince: z.optional(z.string()) });

/** How many rows a list has: `3`, or `50+` if there are more pages; of dead letters, how many queues have some. */
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
  const shown = columns.filter(([, fields]) => fields.some((field) => items.some((item) => item[field] !== undefined)));
  const rows = items.map((item) => shown.map(([, fields]) => cell(fields, item)));
  return element(
    'div',
    {},
    table(
      title,
      shown.map(([heading]) => heading),
      rows,
    ),
    nextSince === undefined ? undefined : element('p', {}, nextPage(name, nextSince)),
  );
}

/** The page of the list that begins at this time. */
function nextPage(name: string, since: string): HTMLElement {
  return element('a', { href: `/operations?${new URLSearchParams({ list: name, since })}` }, 'There are more');
}

/** The columns of an item, in this order; related values share one, so that all fit. */
const columns: readonly (readonly [heading: string, fields: readonly string[]])[] = [
  ['Queue', ['queue']],
  ['Messages', ['messages']],
  ['Off-ramp', ['operationId']],
  ['Pay-in', ['payinId']],
  ['Webhook', ['host', 'webhookId']],
  ['Deposit', ['custodianTransferId']],
  ['Client', ['client', 'clientId']],
  ['Amount', ['amount', 'token', 'assetId', 'currency', 'network']],
  ['Paid', ['paid']],
  ['Failures', ['failures', 'lastError']],
  ['Never attempted', ['neverAttempted']],
  ['Status', ['status', 'hash', 'isActive', 'reason', 'reasons', 'said', 'statusReason']],
  ['Who acts', ['who']],
  ['What happens next', ['what']],
  ['Since', ['since']],
];

/** Commands that look one thing up, by the field that has its id. */
const lookups: Readonly<Record<string, string>> = {
  operationId: 'operation',
  custodianTransferId: 'deposit',
  payinId: 'payin',
};

/** Several values of an item, one after another; one that is missing leaves no gap. */
function cell(fields: readonly string[], item: Readonly<Record<string, unknown>>): Node | string | undefined {
  const given = fields.filter((field) => item[field] !== undefined);
  const [only] = given;
  if (only === undefined) return undefined;
  if (given.length === 1) return value(only, item[only]);
  const parts = given.map((field) => element('span', {}, value(field, item[field])));
  return element('span', { class: 'stacked' }, ...parts);
}

function value(field: string, said: unknown): Node | string {
  const text = Array.isArray(said) ? said.join(', ') : String(said);
  const lookup = lookups[field];
  if (lookup !== undefined) return link(lookup, text);
  if (field === 'since') return time(text) ?? text;
  if (field === 'isActive') return said === true ? 'active' : 'inactive';
  if (field === 'status' || field === 'hash' || field === 'who') return badge(text);
  return field.endsWith('Id') && field !== 'assetId' ? shortCode(text) : text;
}

export function link(lookup: string, text: string): HTMLElement {
  return element('a', { href: `/operations?${new URLSearchParams({ [lookup]: text })}` }, shortCode(text));
}
