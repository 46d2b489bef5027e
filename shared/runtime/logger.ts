/** What a line says beside its code: ids, codes and counts. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * One structured line. The Lambda runtime adds time, level and request id (JSON log format).
 *
 * `code` is a constant in capitals that alarms and searches go by; fields carry ids and codes, never tokens, secrets,
 * bodies, personal data or query strings. Levels: `info` for what a client did wrong or what went as designed, `warn`
 * for a fault that the service heals by itself, `error` for what somebody has to look at.
 */
export const log = {
  info: (code: string, fields: Fields = {}): void => console.info({ code, ...fields }),
  warn: (code: string, fields: Fields = {}): void => console.warn({ code, ...fields }),
  error: (code: string, fields: Fields = {}): void => console.error({ code, ...fields }),
};

/** What may be said of an error in a log: its name and message, but not the message of a parser, which quotes its input. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof SyntaxError) return error.name;
  return `${error.name}: ${error.message}`.slice(0, 500);
}
