import { visible } from './table.ts';

/**
 * One line of a CSV file (RFC 4180). A spreadsheet takes what begins like a formula for one, whoever wrote it: such a text
 * gets an apostrophe in front. No amount begins so, because none is negative. Where a comma is in amounts, as in Colombia,
 * spreadsheets begin a cell after a semicolon, quoted or not. Our own for that: `csv-stringify` guards a text's begin alone.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** What is taken for the begin of a formula, also after what spreadsheets leave out. */
const FORMULA = /(^|;)(\s*[=+\-@\uff0b\uff0d\uff1d\uff20])/gu;

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const said = visible(String(value).replace(FORMULA, "$1'$2"));
  return /[",]|^\s|\s$/.test(said) ? `"${said.replaceAll('"', '""')}"` : said;
}
