import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock.ts';

/** The fields of a log line beside its code: ids, codes and counts. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

const fieldsOfCall = new AsyncLocalStorage<Fields>();

/** Runs the work and adds these fields to every line that it logs. */
export function withFields<Result>(fields: Fields, work: () => Result): Result {
  return fieldsOfCall.run({ ...fields }, work);
}

/** Adds these fields to all further lines of the current work. */
export function addFields(fields: Fields): void {
  Object.assign(fieldsOfCall.getStore() ?? {}, fields);
}

/**
 * One structured line. The Lambda runtime adds time, level and request id (JSON log format).
 *
 * `code` is a constant in capitals that alarms and searches match; fields carry ids and codes, never tokens, secrets,
 * bodies, personal data or query strings. Levels: `info` for mistakes of clients and for normal operation, `warn` for a
 * fault that the service recovers from by itself, `error` for what a person has to look at.
 */
export const log = {
  info: (code: string, fields: Fields = {}): void => console.info(line(code, fields)),
  warn: (code: string, fields: Fields = {}): void => console.warn(line(code, fields)),
  error: (code: string, fields: Fields = {}): void => console.error(line(code, fields)),
};

function line(code: string, fields: Fields) {
  return { code, ...fieldsOfCall.getStore(), ...fields };
}

/**
 * The part of an error that may be logged: its name and message, but not the message of a parser, which quotes its
 * input.
 */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof SyntaxError) return error.name;
  return `${error.name}: ${error.message}`.slice(0, 500);
}

/** Ids come from other services too: a text that does not look like an id is not logged as one. */
export const ID_SHAPE = /^[\w:#.-]{1,128}$/;

/**
 * A handler that logs one line for each call, with its milliseconds and either the fields that `summarise` returns for
 * the answer, or the error. An error is rethrown; the Lambda runtime logs it as an ERROR line of its own.
 */
export function logEachCall<Answer>(
  name: string,
  clock: Clock,
  handle: (event: unknown) => Promise<Answer>,
  summarise: (answer: Answer) => Fields,
) {
  return (event: unknown): Promise<Answer> =>
    withFields({ call: name }, async () => {
      const startedAt = clock.now().getTime();
      try {
        const answer = await handle(event);
        log.info('CALL_DONE', { ...summarise(answer), milliseconds: clock.now().getTime() - startedAt });
        return answer;
      } catch (error) {
        log.info('CALL_FAILED', { cause: describe(error), milliseconds: clock.now().getTime() - startedAt });
        throw error;
      }
    });
}

/** Current measurements, by metric name. */
export type Gauges = Readonly<Record<string, number>>;

/**
 * The line from which CloudWatch makes metrics, in its embedded metric format, with the time of the measurement. It is
 * written directly, because `console` would wrap it into a runtime line, where CloudWatch does not look for it.
 */
export function gaugesLine(namespace: string, gauges: Gauges, now: Date): string {
  const Metrics = Object.keys(gauges).map((Name) => ({ Name }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [[]], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: now.getTime(), CloudWatchMetrics }, ...gauges });
}
