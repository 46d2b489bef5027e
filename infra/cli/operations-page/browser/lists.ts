import * as z from 'zod/mini';
import { badge, code, element, shortCode, table } from './elements.ts';
import { time } from './times.ts';

const list = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  /** Ids of entries that wait, too, but cannot be read and are not among the items. */
  unreadableIds: z._default(z.array(z.string()), []),
  nextSince: z.optional(z.string()),
});

export type List = z.infer<typeof list>;

/** Parses an answer that is a list; `undefined` for any other, which `answerView` shows. */
export function listIn(answer: unknown): List | undefined {
  return list.safeParse(answer).data;
}

/** The number of rows: `3`, or `50+` if there are more pages; of dead letters, the number of queues that have some. */
export function countOf(answer: unknown): string {
  const { items, unreadableIds, nextSince } = list.parse(listIn(answer) ?? { items: [] });
  const count = items.filter(({ messages }) => messages !== 0).length + unreadableIds.length;
  return nextSince === undefined ? String(count) : `${count}+`;
}

/** A list as a table, the longest waiting first, as the service sorts it. */
export function listView(name: string, { items, unreadableIds, nextSince }: List): HTMLElement {
  const missing = `Missing, because they cannot be read: ${unreadableIds.join(', ')}`;
  const parts = [
    ...(items.length === 0 ? [] : [rowsOf(name, items)]),
    ...(unreadableIds.length === 0 ? [] : [element('p', {}, missing)]),
    ...(nextSince === undefined ? [] : [element('p', {}, nextPage(name, nextSince))]),
  ];
  return parts.length === 0 ? element('p', {}, 'Nothing waits here.') : element('div', {}, ...parts);
}

function rowsOf(name: string, items: List['items']): HTMLElement {
  const known = [...placed, ...columns.flatMap(([, fields]) => fields)];
  const others = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((field) => !known.includes(field));
  const all = [...columns, ...others.map((field) => [wordsOf(field), [field]] as const)];
  const shown = all.filter(([, fields]) => fields.some((field) => items.some((item) => item[field] !== undefined)));
  const rows = items.map((item) => shown.map(([, fields]) => cell(fields, item)));
  const headings = shown.map(([heading]) => heading);
  return table(wordsOf(name), headings, rows);
}

/** The page of the list that begins at this time. */
function nextPage(name: string, since: string): HTMLElement {
  return element('a', { href: `/operations?${new URLSearchParams({ list: name, since })}` }, 'There are more');
}

/** Left out: the time of `since` says the same. */
const placed = ['age'];

/** The first columns, in this order; related values share one, so that all fit. Other fields have their own column. */
const columns: readonly (readonly [heading: string, fields: readonly string[]])[] = [
  ['Queue', ['queue']],
  ['Messages', ['messages']],
  ['Change', ['command', 'about']],
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
  ['Until', ['until']],
];

/** The command that looks a record up, by the field that has its id. */
const lookups: Readonly<Record<string, string>> = {
  operationId: 'operation',
  custodianTransferId: 'deposit',
  payinId: 'payin',
  // This field has the id of any kind of record.
  about: 'find',
};

/** The values of a column, one below another; a missing one leaves no gap. */
function cell(fields: readonly string[], item: Readonly<Record<string, unknown>>): Node | string | undefined {
  const given = fields.filter((field) => item[field] !== undefined);
  const [only] = given;
  if (only === undefined) return undefined;
  if (given.length === 1) return value(only, item[only]);
  const parts = given.map((field) => element('span', {}, value(field, item[field])));
  return element('span', { class: 'stacked' }, ...parts);
}

function value(field: string, content: unknown): Node | string | undefined {
  const lookup = lookups[field];
  if (lookup !== undefined) return link(lookup, String(content));
  if (field === 'isActive') return content === true ? 'active' : 'inactive';
  if (field === 'status' || field === 'hash' || field === 'who') return badge(String(content));
  if (field.endsWith('Id') && field !== 'assetId') return shortCode(String(content));
  return plain(content);
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A value of any field. */
export function plain(content: unknown): Node | string | undefined {
  if (content === undefined || content === null) return undefined;
  if (typeof content === 'string') return INSTANT.test(content) ? time(content) : content;
  if (Array.isArray(content) && !content.some((one) => typeof one === 'object')) return content.join(', ') || 'none';
  return code(JSON.stringify(content));
}

/** `lastCheckedAt` becomes `Last checked at`, and `failing-webhooks` becomes `Failing webhooks`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('-', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function link(lookup: string, text: string): HTMLElement {
  return element('a', { href: `/operations?${new URLSearchParams({ [lookup]: text })}` }, shortCode(text));
}
