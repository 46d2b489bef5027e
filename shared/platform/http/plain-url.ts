/** Absolute and written plainly: the parser of URLs would drop tabs and line ends, and take \ for /. */
const PLAIN_URL = /^https?:\/\/(?<authority>[^\s\p{Cc}\\/?#]+)(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

/**
 * The authority of an absolute http or https URL, as it is written: a text that is kept and handed on is judged by its
 * characters, not by what a parser makes of them. `undefined` for anything else.
 */
export function authorityOf(text: string): string | undefined {
  const authority = PLAIN_URL.exec(text)?.groups?.['authority'];
  return URL.canParse(text) ? authority : undefined;
}
