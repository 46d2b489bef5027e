import { type Answer, BadRequest, cursorOf, limitOf, okText, parametersOf, placeOf, wordOf } from './answer.ts';
import type { TransactionRecord } from './transaction-record.ts';
import { placeIn } from './transactions.ts';

/** Fireblocks, API reference, Get transaction history. */
const parameters =
  'before after status orderBy sort limit sourceType sourceId destType destId assets txHash next prev'.split(' ');

/** Milliseconds. The documented default is "The past 90 days", which the vendor may change. */
const BY_DEFAULT = 90 * 24 * 3600 * 1000;

export interface Listed {
  readonly byCreation: readonly TransactionRecord[];
  recordsOf(txHash: string): readonly TransactionRecord[];
}

/**
 * Answers with a page of the history.
 *
 * @param now milliseconds since 1970
 * @param pageOf the content of the header for another page, from that page's query and cursor
 */
export function listTransactions(
  { byCreation, recordsOf }: Listed,
  query: URLSearchParams,
  now: number,
  pageOf: (query: URLSearchParams, cursor: string) => string | undefined,
): Answer {
  const asked = parametersOf(query, parameters);
  const [after, before] = [instantOf(asked['after']) ?? now - BY_DEFAULT, instantOf(asked['before']) ?? Infinity];
  const limit = limitOf(asked['limit'], 200, 500);
  const order = wordOf(asked['orderBy'], ['createdAt', 'lastUpdated']);
  const direction = wordOf(asked['sort'], ['DESC', 'ASC']) === 'DESC' ? -1 : 1;
  const { txHash, next, prev } = asked;

  const created =
    txHash === undefined
      ? byCreation.slice(placeIn(byCreation, after + 1, 0), placeIn(byCreation, before, 0))
      : recordsOf(txHash).filter(({ createdAt }) => createdAt > after && createdAt < before);
  const found = created.filter((one) => isWanted(one, asked));
  if (order !== 'createdAt' || txHash !== undefined) found.sort((a, b) => a[order] - b[order] || a.serial - b.serial);
  if (direction === -1) found.reverse();

  /** Index of the first record after the cursor (`least` 1), or at or after it (`least` 0). */
  const placeOfCursor = (cursor: string, least: 0 | 1) => {
    const [value = 0, serial = 0] = placeOf(cursor, 2);
    const index = found.findIndex((one) => direction * Math.sign(one[order] - value || one.serial - serial) >= least);
    return index === -1 ? found.length : index;
  };
  const end = prev === undefined ? undefined : placeOfCursor(prev, 0);
  const start = end === undefined ? (next === undefined ? 0 : placeOfCursor(next, 1)) : Math.max(0, end - limit);
  const page = found.slice(start, end ?? start + limit);

  const header = (name: 'next' | 'prev', one: TransactionRecord | undefined) => {
    if (one === undefined) return {};
    const other = new URLSearchParams(query);
    other.delete(name === 'next' ? 'prev' : 'next');
    const cursor = cursorOf([one[order], one.serial]);
    other.set(name, cursor);
    const page = pageOf(other, cursor);
    return page === undefined ? {} : { [`${name}-page`]: page };
  };
  return okText(`[${page.map(({ text }) => text).join(',')}]`, {
    ...(start + page.length < found.length ? header('next', page.at(-1)) : {}),
    ...(start > 0 ? header('prev', page[0]) : {}),
  });
}

/** Hashes are compared with case: whether the vendor ignores it is not known. */
function isWanted(one: TransactionRecord, asked: Readonly<Record<string, string>>): boolean {
  const { status, sourceType, sourceId, destType, destId, assets } = asked;
  const is = (wanted: string | undefined, value: string | null) => wanted === undefined || wanted === value;
  return (
    is(status, one.status) &&
    is(sourceType, one.source.type) &&
    is(sourceId, one.source.id) &&
    is(destType, one.destination.type) &&
    is(destId, one.destination.id) &&
    (assets === undefined || assets.split(',').includes(one.assetId))
  );
}

function instantOf(text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d+$/.test(text)) throw new BadRequest(`Invalid timestamp: ${text}`);
  return text === undefined ? undefined : Number(text);
}
