import { escapeInvisible } from './table.ts';

/**
 * One line of a CSV file (RFC 4180). A text that begins like a formula gets an apostrophe in front, because
 * spreadsheets would run it. No amount begins so, because none is negative. Where amounts have a comma, as in Colombia,
 * spreadsheets also begin a cell after a semicolon, quoted or not: `csv-stringify` guards only the beginning of a text.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** The beginning of a formula, also after characters that spreadsheets ignore. */
const FORMULA = /(^|;)(\s*[=+\-@\uff0b\uff0d\uff1d\uff20])/gu;

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = escapeInvisible(String(value).replace(FORMULA, "$1'$2"));
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
